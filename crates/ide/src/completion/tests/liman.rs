//! Liman: keys, kinds, names, localized texts.

use super::{check_accept, check_completion, check_labels, check_plain};

const PROJECT: &str = "
#- /tools/search.yaml
kind: ToolNode
name: search
description: {en: Finds pages.}
func: tools.web.search
#- /tools/book.yaml
kind: ToolNode
name: book
description: {en: Books a seat.}
func: tools.web.book
#- /writer.yaml
kind: LLMNode
name: writer
prompts: {system: {en: Write., ru: Пиши.}}
";

fn in_project(main: &str) -> String {
    format!("{PROJECT}#- /main.yaml\n{main}")
}

#[test]
fn keys_of_a_document() {
    check_completion(
        "kind: LLMNode\nname: a\n$0",
        "prompts Key: required, localized text
         tools Key: list of tool
         nodes Key: list of node or Edge
         auth Key: Auth
         description Key: localized text
         to Key: list of node or ReleaseEdge, release 0.1.1
         structured_output Key: fields and their types, release 0.1.1",
    );
    check_labels("kind: LLMNode\nname: a\nto: []\n$0", "prompts tools auth description structured_output");
    check_labels("kind: LLMNode\nname: a\nnodes: []\n$0", "prompts tools auth description structured_output");
    check_labels("kind: LLMNode\nname: a\npr$0", "prompts");
    check_labels("kind: LLMNode\nname: a\npr$0: {}\n", "prompts");
    check_labels("na$0\nkind: LLMNode\n", "name");
    check_labels("kind: CredentialsProvider\nname: a\n$0", "type func");
    check_labels(
        "kind: Overlay\nto: LLMNode:a\n$0",
        "strategy prompts tools nodes auth description structured_output",
    );
}

#[test]
fn accepted_keys() {
    let head = "kind: LLMNode\nname: a\n";
    check_accept(&format!("{head}$0"), "prompts", &format!("{head}prompts: $0"));
    check_accept(&format!("{head}pro$0"), "prompts", &format!("{head}prompts: $0"));
    check_accept(&format!("{head}to$0\n"), "tools", &format!("{head}tools:\n  - $0\n"));
    check_accept(&format!("{head}au$0\n"), "auth", &format!("{head}auth:\n  $0\n"));
    check_accept(&format!("{head}too$0: [b]\n"), "tools", &format!("{head}tools: [b]\n"));
    check_plain(&format!("{head}too$0\n"), "tools", &format!("{head}tools:\n  - \n"));
    check_plain(
        "kind: Overlay\nto: LLMNode:a\nst$0\n",
        "strategy",
        "kind: Overlay\nto: LLMNode:a\nstrategy: \n",
    );
    check_accept(
        "kind: Overlay\nto: LLMNode:a\nst$0\n",
        "strategy",
        "kind: Overlay\nto: LLMNode:a\nstrategy: replace\n",
    );
    check_accept(
        &format!("{head}nodes:\n  - target: b\n    wh$0\n"),
        "when",
        &format!("{head}nodes:\n  - target: b\n    when: $0\n"),
    );
    check_accept(
        &format!("{head}nodes:\n  - {{target: b, $0}}\n"),
        "when",
        &format!("{head}nodes:\n  - {{target: b, when: $0}}\n"),
    );
    check_accept(&format!("{head}\"pro$0\n"), "prompts", &format!("{head}prompts: $0\n"));
    check_accept(&format!("{head}'pro$0': x\n"), "prompts", &format!("{head}'prompts': x\n"));
}

#[test]
fn keys_of_items() {
    let head = "kind: LLMNode\nname: a\nprompts: {}\n";
    check_labels(&format!("{head}nodes:\n  - target: b\n    $0\n"), "when id depends ref");
    check_labels(&format!("{head}nodes:\n  - ref: LLMNode/b\n    $0\n"), "target when id depends");
    check_labels(&format!("{head}nodes:\n  - $0\n"), "target when id depends ref a edge");
    check_accept(&format!("{head}nodes:\n  - t$0\n"), "target", &format!("{head}nodes:\n  - target: $0\n"));
    check_accept(
        &format!("{head}nodes:\n  - $0\n"),
        "edge",
        &format!("{head}nodes:\n  - target: $0\n    when: \n"),
    );
    check_accept(
        &format!("{head}nodes:\n  $0\n"),
        "edge",
        &format!("{head}nodes:\n  - target: $0\n    when: \n"),
    );
    check_accept(
        &format!("{head}nodes: $0\n"),
        "edge",
        &format!("{head}nodes: \n  - target: $0\n    when: \n"),
    );
    check_labels(
        "kind: ToolNode\nname: a\narguments:\n  - name: x\n    $0\n",
        "type description optional properties",
    );
    check_accept(
        "kind: ToolNode\nname: a\narguments:\n  - name: x\n    op$0\n",
        "optional",
        "kind: ToolNode\nname: a\narguments:\n  - name: x\n    optional: true\n",
    );
}

#[test]
fn words() {
    check_completion(
        "kind: CredentialsProvider\nname: a\ntype: $0\n",
        "bearer Word: a bearer token
         basic Word: user name and password
         aws Word: credentials for AWS
         gcp Word: credentials for Google Cloud
         azure Word: credentials for Azure
         custom Word: whatever the function yields",
    );
    check_labels("kind: CredentialsProvider\nname: a\ntype: \"b$0\"\n", "bearer basic");
    check_accept(
        "kind: CredentialsProvider\nname: a\ntype:$0\n",
        "aws",
        "kind: CredentialsProvider\nname: a\ntype: aws\n",
    );
    check_accept(
        "kind: CredentialsProvider\nname: a\ntype: \"b$0\n",
        "basic",
        "kind: CredentialsProvider\nname: a\ntype: \"basic\"\n",
    );
    check_completion(
        "kind: ServiceAccount\nname: a\ncontext:\n  strict: $0\n",
        "false Value
         true Value: default",
    );
    check_labels("kind: ToolNode\nname: a\narguments:\n  - type: in$0\n", "integer int string");
    check_labels(
        "kind: ToolNode\nname: a\narguments:\n  - type: [string, $0]\n",
        "str number integer int float boolean bool object array",
    );
}

#[test]
fn kinds() {
    check_labels(
        "kind: $0\n",
        "LLMNode ToolNode Node FunctionNode ServiceAccount CredentialsProvider Overlay",
    );
    check_labels("kind: LLM$0\n", "LLMNode");
    check_labels("kind: No$0\nname: a\n", "Node LLMNode ToolNode FunctionNode CredentialsProvider");
    check_labels("apiVersion: v1\nkind: $0\n", "");
    check_accept("kind:$0\n", "ToolNode", "kind: ToolNode\n");
}

#[test]
fn names() {
    check_completion(
        &in_project("kind: LLMNode\nname: a\nprompts: {}\ntools:\n  - $0\n"),
        "book Declaration: ToolNode in tools/book.yaml
         search Declaration: ToolNode in tools/search.yaml",
    );
    check_completion(
        &in_project("kind: LLMNode\nname: a\nprompts: {}\ntools: [search, $0]\n"),
        "book Declaration: ToolNode in tools/book.yaml",
    );
    check_labels(&in_project("kind: LLMNode\nname: a\nprompts: {}\ntools: [se$0]\n"), "search");
    check_labels(
        &in_project("kind: LLMNode\nname: a\nprompts: {}\nnodes: [$0]\n"),
        "book search writer a edge",
    );
    check_labels(
        &in_project("kind: LLMNode\nname: a\nprompts: {}\nto: [$0]\n"),
        "LLMNode/writer LLMNode/a release edge",
    );
    check_labels(&in_project("kind: Overlay\nto: $0\n"), "LLMNode:writer ToolNode:book ToolNode:search");
    check_labels(&in_project("kind: Overlay\nto: ToolNode:$0\n"), "ToolNode:book ToolNode:search");
    check_labels(&in_project("kind: Overlay\nto: wr$0\n"), "LLMNode:writer");
    check_labels(
        &in_project("kind: LLMNode\nname: a\nprompts: {}\nnodes: [LLMNode/$0]\n"),
        "LLMNode/writer LLMNode/a",
    );
    check_accept(
        &in_project("kind: LLMNode\nname: a\nprompts: {}\ntools: $0\n"),
        "book",
        "kind: LLMNode\nname: a\nprompts: {}\ntools: [book]\n",
    );
    check_accept(
        &in_project("kind: LLMNode\nname: a\nprompts: {}\ntools:\n  $0\n"),
        "book",
        "kind: LLMNode\nname: a\nprompts: {}\ntools:\n  - book\n",
    );
    check_accept(
        &in_project("kind: LLMNode\nname: a\nprompts: {}\ntools:\n  - search\n  $0\n"),
        "book",
        "kind: LLMNode\nname: a\nprompts: {}\ntools:\n  - search\n  - book\n",
    );
    check_accept(
        &in_project("kind: LLMNode\nname: a\nprompts: {}\ntools:\n  -$0\n"),
        "book",
        "kind: LLMNode\nname: a\nprompts: {}\ntools:\n  - book\n",
    );
    check_accept(
        &in_project("kind: LLMNode\nname: a\nprompts: {}\ntools: [search $0]\n"),
        "search",
        "kind: LLMNode\nname: a\nprompts: {}\ntools: [search]\n",
    );
}

#[test]
fn names_that_need_quotes() {
    let project = "#- /no.yaml\nkind: ToolNode\nname: 'no'\n#- /b.yaml\nkind: ToolNode\nname: \"it's: odd\"\n#- /main.yaml\n";
    let head = "kind: LLMNode\nname: a\nprompts: {}\n";
    check_accept(&format!("{project}{head}tools:\n  - n$0\n"), "no", &format!("{head}tools:\n  - \"no\"\n"));
    check_accept(
        &format!("{project}{head}tools: [i$0]\n"),
        "it's: odd",
        &format!("{head}tools: [\"it's: odd\"]\n"),
    );
    check_accept(
        &format!("{project}{head}tools: ['i$0']\n"),
        "it's: odd",
        &format!("{head}tools: ['it''s: odd']\n"),
    );
}

#[test]
fn edges_of_a_node() {
    let head = "kind: LLMNode\nname: a\nprompts: {}\nnodes:\n  - {target: b, when: x, id: first}\n  - {target: c, when: y, id: second}\n";
    check_completion(
        &format!("{head}  - target: d\n    when: z\n    depends: [$0]\n"),
        "first Edge: the edge to b
         second Edge: the edge to c",
    );
    check_labels(&format!("{head}  - target: d\n    when: z\n    id: $0\n"), "");
}

#[test]
fn languages() {
    check_labels(
        &in_project("kind: ToolNode\nname: a\ndescription:\n  $0\n"),
        "en ru zh fr de es it pt ja ko",
    );
    check_labels(
        &in_project("kind: ToolNode\nname: a\ndescription:\n  en: x\n  $0\n"),
        "ru zh fr de es it pt ja ko",
    );
    check_labels(
        "kind: LLMNode\nname: a\nprompts:\n  en:\n    system: x\n    user: y\n  ru:\n    $0\n",
        "system user",
    );
    check_accept(
        "kind: ToolNode\nname: a\ndescription:\n  en: x\n  d$0\n",
        "de",
        "kind: ToolNode\nname: a\ndescription:\n  en: x\n  de: $0\n",
    );
    check_labels("kind: LLMNode\nname: a\nprompts:\n  system:\n    en: x\n    r$0\n", "ru fr");
    check_labels("kind: LLMNode\nname: a\nprompts:\n  system:\n    en: some te$0\n", "");
}

#[test]
fn variables() {
    check_completion(
        "kind: LLMNode\nname: a\nprompts:\n  system:\n    en: For {user.name} in {city}\n    ru: Для {$0\n",
        "user.name Variable: in the text for `en`
         city Variable: in the text for `en`",
    );
    check_accept(
        "kind: LLMNode\nname: a\nprompts:\n  system:\n    en: For {city}\n    ru: Для {c$0\n",
        "city",
        "kind: LLMNode\nname: a\nprompts:\n  system:\n    en: For {city}\n    ru: Для {city}\n",
    );
    check_accept(
        "kind: LLMNode\nname: a\nprompts:\n  system:\n    en: For {city}\n    ru: |\n      Для {c$0}!\n",
        "city",
        "kind: LLMNode\nname: a\nprompts:\n  system:\n    en: For {city}\n    ru: |\n      Для {city}!\n",
    );
    check_labels("kind: ToolNode\nname: a\ntool_prompt_template: 'Call {$0}'\n", "name description triggers");
    check_labels(
        "kind: LLMNode\nname: a\nauth:\n  service_account: me\nprompts: {system: {en: 'Hi {$0'}}\n---\nkind: ServiceAccount\nname: me\ncontext:\n  inject: [user.id, 'town: user.city']\n",
        "user.id town",
    );
    check_labels("kind: LLMNode\nname: a\nprompts: {system: {en: 'Hi {{$0'}}\n", "");
}

#[test]
fn injections() {
    check_labels(
        "#- /a.yaml\nkind: ServiceAccount\nname: me\ncontext:\n  inject: [user.id, 'town: user.city']\n#- /main.yaml\nkind: ServiceAccount\nname: you\ncontext:\n  inject:\n    - $0\n",
        "user.id town: user.city",
    );
}

#[test]
fn documents() {
    check_labels(&in_project("$0"), "kind Liman LLM node Liman tool node Liman node Liman function node …");
    check_accept(
        &in_project("$0"),
        "Liman node",
        "kind: Node\nname: close_case\nfunc: desk.steps.close_case",
    );
    check_labels("kind: LLMNode\nname: a\n---\nTool$0\n", "Liman tool node");
    check_labels("apiVersion: v1\n$0", "");
}

#[test]
fn rules_in_comments() {
    check_accept("kind: LLMNode\nname: a # node$0\n", "nodewise:", "kind: LLMNode\nname: a # nodewise: \n");
    check_labels("kind: LLMNode\nname: a # nodewise: $0\n", "ignore ignore-next ignore-file");
    check_labels(
        "kind: LLMNode\nname: a\ntools: [b] # nodewise: ignore[unkn$0\n",
        "unknown-credentials-provider unknown-dependency unknown-field …",
    );
    check_labels("kind: Pod # nodewise: $0\napiVersion: v1\n", "");
    check_accept(
        "kind: LLMNode\nname: a\ntools: [b] # nodewise: ignore[unused-declaration, unknown-to$0]\n",
        "unknown-tool",
        "kind: LLMNode\nname: a\ntools: [b] # nodewise: ignore[unused-declaration, unknown-tool]\n",
    );
}

#[test]
fn conditions() {
    let head =
        "kind: LLMNode\nname: a\nprompts: {}\nnodes:\n  - {target: b, when: user.role == 'x' and done}\n";
    let at = |when: &str| format!("{head}  - target: c\n    when: {when}\n");
    check_labels(&at("$0"), "user done …");
    check_labels(&at("us$0"), "user");
    check_labels(&at("user.$0"), "role");
    check_labels(&at("done an$0"), "and");
    check_labels(&at("'us$0"), "user");
    check_accept(&at("us$0"), "user", &at("user"));
    check_accept(&at("done and us$0"), "user", &at("done and user"));
    check_accept(&at("\"us$0"), "user", &at("\"user\""));
    check_accept(&at("|\n      done and us$0"), "user", &at("|\n      done and user"));
    check_accept(&at(">-\n      done\n      an$0"), "and", &at(">-\n      done\n      and"));
    check_accept(&at("done and $is$0"), "$is_error", &at("done and $is_error($0)"));
    check_accept(&at("no$0"), "not", &at("not"));
    check_labels(&at("$is_error(Timeout$0)"), "TimeoutError");
    check_accept(&at("$is_error('Val$0')"), "ValueError", &at("$is_error('ValueError')"));
    let program = "#- /app/errors.py\nclass QuotaError(Exception):\n    pass\n#- /main.yaml\n";
    let other = at("$is_error(RateLimited)");
    check_labels(
        &format!("{program}{other}  - target: d\n    when: $is_error($0)\n"),
        "RateLimited QuotaError TimeoutError …",
    );
    check_labels(&at("done or 'x$0"), "");
}

#[test]
fn accounts_and_providers() {
    let provider =
        "#- /keys.yaml\nkind: CredentialsProvider\nname: keys\ntype: bearer\nfunc: a.b\n#- /main.yaml\n";
    let at = |rest: &str| format!("{provider}kind: ServiceAccount\nname: me\n{rest}");
    check_labels(&at("credentials_provider: $0\n"), "keys");
    check_labels(&at("credentials_providers:\n  - $0\n"), "keys");
    check_labels(&at("credentials_provider: keys\n$0"), "context");
    check_labels(&at("context:\n  $0\n"), "inject strict context");
    check_accept(
        &at("context:\n  $0\n"),
        "inject",
        "kind: ServiceAccount\nname: me\ncontext:\n  inject:\n    - $0\n",
    );
    check_labels(
        "kind: LLMNode\nname: a\nauth:\n  service_account: $0\n---\nkind: ServiceAccount\nname: me\n",
        "me service account",
    );
}

#[test]
fn structured_output() {
    check_labels("kind: LLMNode\nname: a\nstructured_output:\n  title: $0\n", "str int float bool");
    check_labels("kind: LLMNode\nname: a\nstructured_output: {a: {b: i$0}}\n", "int");
}

#[test]
fn broken_texts() {
    check_labels("kind: LLMNode\nname: 'a\npro$0\n", "prompts");
    check_labels("kind: LLMNode\nname: a\ntools: [b, c\npro$0: {}\n", "prompts");
    check_labels("kind: LLMNode\nname: a\n\ttools: []\npro$0\n", "prompts");
    check_labels("kind: LLMNode\r\nname: a\r\npro$0\r\n", "prompts");
    check_labels("kind: LLMNode\nname: a\nnodes:\n  - target: b\n   wh$0\n", "when");
    check_labels("kind: LLMNode\nname: a\nprompts: {system: {en: 'some te$0", "");
    check_labels("kind: LLMNode\nname: some text$0\n", "");
    check_labels("- a\n- $0\n", "");
    check_labels("hello wor$0\n", "");
}

#[test]
fn many_names() {
    let mut project = String::new();
    for number in 0..300 {
        project.push_str(&format!("#- /t{number}.yaml\nkind: ToolNode\nname: tool_{number}\n"));
    }
    project.push_str("#- /main.yaml\nkind: LLMNode\nname: a\ntools: [tool$0]\n");
    let found = super::completions(&project, super::SNIPPETS);
    assert_eq!((found.items.len(), found.incomplete), (100, true));
    assert_eq!(found.items[0].label, "tool_0");
    let found = super::completions(&project.replace("tool$0", "29$0"), super::SNIPPETS);
    assert!(!found.incomplete);
    assert_eq!(found.items[0].label, "tool_29");
}

#[test]
fn other_systems_documents() {
    check_labels("apiVersion: v1\nkind: Pod\nmetadata:\n  na$0\n", "");
    check_labels("services:\n  web:\n    im$0\n", "");
    check_labels("#- /package.json\n{\"name\": \"x\", \"de$0\"}\n", "");
}

#[test]
fn functions_of_programs() {
    let program = "#- /desk/tools.py\ndef search(query):\n    pass\n\n\ndef write():\n    pass\n";
    check_accept(
        &format!("#- /a.yaml\nkind: ToolNode\nname: a\nfunc: desk.to$0\n{program}"),
        "desk.tools.search",
        "kind: ToolNode\nname: a\nfunc: desk.tools.search\n",
    );
    check_accept(
        &format!("#- /a.yaml\nkind: ToolNode\nname: a\nfunc: $0\n{program}"),
        "desk.tools.write",
        "kind: ToolNode\nname: a\nfunc: desk.tools.write\n",
    );
}

#[test]
fn prompts_have_a_system_message() {
    let head = "kind: LLMNode\nname: a\nprompts:\n";
    check_labels(&format!("{head}  sy$0"), "system …");
    check_accept(&format!("{head}  sy$0"), "system", &format!("{head}  system: $0"));
    check_labels(&format!("{head}  en:\n    s$0"), "system");
    check_labels(&format!("{head}  system: x\n  sys$0"), "");
    check_labels(&format!("{head}  en: x\n  sys$0"), "");
    check_labels("kind: LLMNode\nname: a\ndescription:\n  system$0", "");
}
