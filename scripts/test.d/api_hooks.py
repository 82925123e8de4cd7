"""Adapts schemathesis to Deadwax: browsers send reports as JSON with another content type."""

import schemathesis

schemathesis.serializer.alias("application/csp-report", "application/json")
