"""Language models as judges: endpoints, prompts, calls, readings and what they cost."""
