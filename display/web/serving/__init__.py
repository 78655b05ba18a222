"""What Starlette and uvicorn do for the room's pages: routes, access, streams, the server."""
