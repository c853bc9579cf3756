"""The Gateway API Inference Extension, compared with upstream's CRDs and manifests."""
