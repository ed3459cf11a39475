# JupyterLab with the notebooks, for Docker and for Binder:
#   docker build -t ddps . && docker run --rm -p 127.0.0.1:8888:8888 ddps
# What is installed is pinned: the two images by digest (of the index of all platforms), Python packages by version and
# hash (notebooks/requirements.lock), Go modules by go.sum, Go tools by version. A newer image's digest is what
#   docker buildx imagetools inspect golang:1.26.8-bookworm --format '{{.Manifest.Digest}}'
# prints.
ARG GO_IMAGE=golang:1.26.8-bookworm@sha256:a688600ca24f8a4d3ca77f95b0dd40704a9fc787c826660eb7ba0b641b8b175d
ARG PYTHON_IMAGE=python:3.11.16-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b
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
