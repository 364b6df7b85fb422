"""Terms: what the energy contains besides the normals."""
