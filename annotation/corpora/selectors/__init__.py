"""Everything that reads rows for a page, a REST call or a file."""
