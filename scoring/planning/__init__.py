"""Human units where they matter (Lite²·ˣPyramid), and plans for a budget before it is spent."""
