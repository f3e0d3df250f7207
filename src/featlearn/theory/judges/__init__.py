"""The judges: one function for each kind of claim. What they decide is never stored."""
