"""Stages: the steps of the method. Each proposes heights; the judge decides, region by region, what is kept."""
