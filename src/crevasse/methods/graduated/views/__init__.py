"""Views: the same problem in another form, and the way back."""
