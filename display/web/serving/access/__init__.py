"""Who asks, and whether they may: layers around all pages, of one job each. Pure ASGI: answers and
streams pass through as they are."""
