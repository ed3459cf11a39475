# JupyterLab with the notebooks, for Docker and for Binder:
#   docker build -t ddps . && docker run --rm -p 127.0.0.1:8888:8888 ddps
FROM golang:1.26-bookworm AS go

FROM python:3.11-slim-bookworm
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
