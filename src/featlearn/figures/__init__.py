"""results -> drawing; computes nothing."""
