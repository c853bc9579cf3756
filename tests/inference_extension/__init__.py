"""The Gateway API Inference Extension, against upstream's CRDs and manifests."""
