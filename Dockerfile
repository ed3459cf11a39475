# JupyterLab with the notebooks, for Docker and for Binder:
#   docker build -t ddps . && docker run --rm -p 127.0.0.1:8888:8888 ddps
# What is installed is pinned: Python packages by version and hash (notebooks/requirements.lock), Go modules by go.sum,
# Go tools by version, the two images by the tag of a release. A tag can be moved; a digest cannot, but only a registry
# has it. To pin by digest, take what
#   docker buildx imagetools inspect golang:1.26.8-bookworm --format '{{.Manifest.Digest}}'
# prints, likewise of the Python image, and build with
#   --build-arg GO_IMAGE=golang:1.26.8-bookworm@sha256:DIGEST --build-arg PYTHON_IMAGE=python:3.11.7-slim-bookworm@sha256:DIGEST
ARG GO_IMAGE=golang:1.26.8-bookworm
ARG PYTHON_IMAGE=python:3.11.7-slim-bookworm
FROM ${GO_IMAGE} AS go

FROM ${PYTHON_IMAGE}
COPY --from=go /usr/local/go /usr/local/go
ARG NB_USER=jovyan
ARG NB_UID=1000
ENV USER=${NB_USER} HOME=/home/${NB_USER}
ENV VIRTUAL_ENV=${HOME}/ddps/.venv
ENV PATH=${VIRTUAL_ENV}/bin:/usr/local/go/bin:${PATH}
RUN useradd --create-home --no-log-init --shell /bin/bash --uid "${NB_UID}" "${NB_USER}"
COPY . ${HOME}/ddps
RUN chown -R "${NB_UID}" "${HOME}"
USER ${NB_UID}
WORKDIR ${HOME}/ddps
RUN notebooks/setup.sh
WORKDIR ${HOME}/ddps/notebooks
EXPOSE 8888
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--port=8888", "--no-browser"]
