//! Files of other programs in a project of any size: what teams keep beside their declarations. About half of them are YAML, and
//! many have words that declarations have too (`kind`, `name`, `nodes`, `tools`).

use std::fmt::Write;

/// The path, relative to the project's folder, and the text of file `number`.
#[must_use]
pub fn file(number: usize) -> (String, String) {
    let folder = format!("service_{:03}", number / 100);
    let (name, text) = match number % 8 {
        0 => (format!("deploy/app-{number}.yaml"), deployment(number)),
        1 => (format!("ci/workflow-{number}.yml"), workflow(number)),
        2 => (format!("packages/{number}/package.json"), package(number)),
        3 => (format!("compose/compose-{number}.yaml"), compose(number)),
        4 => (format!("editor/settings-{number}.json"), settings(number)),
        5 => (format!("api/openapi-{number}.yaml"), api(number)),
        6 => (format!("fixtures/orders-{number}.json"), records(number)),
        _ => (format!("chart/values-{number}.yaml"), values(number)),
    };
    (format!("{folder}/{name}"), text)
}

fn deployment(number: usize) -> String {
    format!(
        "\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-{number}
  labels: {{app: app-{number}, team: orders}}
spec:
  replicas: {replicas}
  selector:
    matchLabels: {{app: app-{number}}}
  template:
    metadata:
      labels: {{app: app-{number}}}
    spec:
      containers:
        - name: web
          image: registry.example.com/app:{number}
          ports: [{{containerPort: 8080}}]
          env:
            - name: LOG_LEVEL
              value: info
            - name: DATABASE_URL
              valueFrom: {{secretKeyRef: {{name: database-{number}, key: url}}}}
          readinessProbe:
            httpGet: {{path: /ready, port: 8080}}
            periodSeconds: 5
          resources:
            requests: {{cpu: 100m, memory: 128Mi}}
            limits: {{cpu: 500m, memory: 256Mi}}
---
apiVersion: v1
kind: Service
metadata:
  name: app-{number}
spec:
  type: ClusterIP
  selector: {{app: app-{number}}}
  ports: [{{name: http, port: 80, targetPort: 8080}}]
",
        replicas = number % 5 + 1
    )
}

fn workflow(number: usize) -> String {
    format!(
        "\
name: build {number}
on:
  push: {{branches: [main]}}
  pull_request: {{}}
jobs:
  test:
    runs-on: ubuntu-24.04
    strategy:
      matrix: {{node: [20, 22, 24]}}
    steps:
      - uses: actions/checkout@v4
      - name: Set up Node
        uses: actions/setup-node@v4
        with: {{node-version: \"${{{{ matrix.node }}}}\"}}
      - name: Install
        run: npm ci
      - name: Test
        run: |
          npm test -- --shard {number}
          npm run lint
  deploy:
    needs: [test]
    if: github.ref == 'refs/heads/main'
    runs-on: ubuntu-24.04
    steps:
      - name: Deploy
        run: ./deploy.sh app-{number}
"
    )
}

fn package(number: usize) -> String {
    let mut dependencies = String::new();
    for dependency in 0..12 {
        let _ =
            write!(dependencies, ",\n    \"@example/part-{}\": \"^1.{dependency}.0\"", number + dependency);
    }
    format!(
        "{{
  \"name\": \"@example/app-{number}\",
  \"version\": \"1.{number}.0\",
  \"type\": \"module\",
  \"description\": \"Part {number} of the shop\",
  \"scripts\": {{
    \"build\": \"tsc -p .\",
    \"test\": \"node --test\",
    \"lint\": \"eslint src\"
  }},
  \"dependencies\": {{
    \"zod\": \"^3.23.0\"{dependencies}
  }}
}}
"
    )
}

fn compose(number: usize) -> String {
    let mut services = String::new();
    for service in ["web", "worker", "scheduler"] {
        let _ = write!(
            services,
            "  {service}:
    image: registry.example.com/{service}:{number}
    command: [\"./{service}\", \"--shard\", \"{number}\"]
    environment:
      QUEUE: queue-{number}
      LOG_LEVEL: info
    depends_on: [database]
    restart: unless-stopped
"
        );
    }
    format!(
        "services:\n{services}  database:\n    image: postgres:17\n    volumes: [\"data-{number}:/var/lib/postgresql/data\"]\n\
         volumes:\n  data-{number}: {{}}\n"
    )
}

fn settings(number: usize) -> String {
    let mut words = String::new();
    for word in 0..30 {
        let comma = if word == 0 { "" } else { ", " };
        let _ = write!(words, "{comma}\"word{}\"", number * 31 + word);
    }
    format!(
        "{{
  // Settings of team {number}.
  \"editor.formatOnSave\": true,
  \"editor.rulers\": [100],
  \"files.exclude\": {{\"**/dist\": true, \"**/node_modules\": true}},
  \"terminal.integrated.tabs.enabled\": false,
  \"tools\": {{\"enabled\": true}},
  \"cSpell.words\": [{words}],
}}
"
    )
}

fn api(number: usize) -> String {
    let mut paths = String::new();
    for path in ["orders", "customers", "refunds"] {
        let _ = write!(
            paths,
            "  /{path}/{{id}}:
    get:
      operationId: get_{path}_{number}
      description: One of the {path}.
      parameters:
        - {{name: id, in: path, required: true, schema: {{type: string}}}}
      responses:
        \"200\": {{description: It was found}}
        \"404\": {{description: It was not found}}
"
        );
    }
    format!(
        "openapi: 3.1.0\ninfo: {{title: API {number}, version: 1.{number}.0}}\npaths:\n{paths}components:\n  schemas:\n    \
         Order: {{type: object, properties: {{id: {{type: string}}, total: {{type: number}}}}}}\n"
    )
}

fn records(number: usize) -> String {
    let mut records = String::new();
    for record in 0..12 {
        let comma = if record == 0 { "" } else { ",\n" };
        let _ = write!(
            records,
            "{comma}  {{\"id\": \"o-{number}-{record}\", \"name\": \"Order {record}\", \"status\": \"open\", \"total\": {record}.50}}"
        );
    }
    format!("[\n{records}\n]\n")
}

fn values(number: usize) -> String {
    let mut nodes = String::new();
    for node in 0..6 {
        let _ = write!(
            nodes,
            "  - name: pool-{number}-{node}\n    type: standard-{node}\n    labels: {{zone: zone-{node}}}\n    min: 1\n    max: {node}5\n"
        );
    }
    format!(
        "\
# Values of the chart of service {number}.
replicaCount: 2
image: {{repository: registry.example.com/service, tag: \"{number}\", pullPolicy: IfNotPresent}}
nodes:
{nodes}ingress:
  enabled: true
  hosts: [service-{number}.example.com]
resources:
  limits: {{cpu: 500m, memory: 512Mi}}
"
    )
}
