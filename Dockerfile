# JupyterLab with the notebooks, for Docker and for Binder:
#   docker build -t ddps . && docker run --rm -p 127.0.0.1:8888:8888 ddps
# The images are by tag: a digest that is true can only be had from a registry. To pin them, take what
#   docker buildx imagetools inspect golang:1.26-bookworm --format '{{.Manifest.Digest}}'
# prints, and build with --build-arg GO_IMAGE=golang:1.26-bookworm@sha256:…, and PYTHON_IMAGE likewise.
ARG GO_IMAGE=golang:1.26-bookworm
ARG PYTHON_IMAGE=python:3.11-slim-bookworm
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
