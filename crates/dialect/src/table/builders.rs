//! How programs write what documents say: the functions of a system's packages that build graphs, nodes and agents, and the
//! spelling of their options. One row a function, one row an option whose name or form differs from the document's.

use super::MethodChain;

/// The functions by which programs build the documents of a system.
#[derive(Debug)]
pub struct Builders {
    /// The packages that export them; paths below a package count too.
    pub packages: &'static [&'static str],
    pub functions: &'static [Builder],
    /// The options of every node that are named or shaped differently from the document's keys.
    pub node: &'static [BuilderOption],
    /// The same of an edge.
    pub edge: &'static [BuilderOption],
    /// Both keys of an edge in short form: only an edge that has both is read by [`Builders::edge`].
    pub edge_ends: [&'static str; 2],
    /// The document's keys that builders fill in.
    pub keys: BuilderKeys,
    /// Keys of documents whose values keep their spelling.
    pub verbatim: &'static [&'static str],
    /// How a provider follows from the beginning of a model's name, for agents that name none.
    pub providers: &'static [(&'static str, &'static str)],
    /// Texts that the packages export, by their names.
    pub constants: &'static [(&'static str, &'static str)],
    /// Types that the packages export whose values are graphs in the document's form.
    pub types: &'static [&'static str],
}

/// Keys of documents that builders fill in or read.
#[derive(Debug)]
pub struct BuilderKeys {
    /// What the graph is for.
    pub description: &'static str,
    pub nodes: &'static str,
    pub edges: &'static str,
    /// The node that an edge leaves.
    pub source: &'static str,
    /// The node that an edge leads to.
    pub target: &'static str,
    /// Where a run begins.
    pub start: &'static str,
    /// Where a run ends.
    pub ends: &'static str,
    /// What a graph takes.
    pub inputs: &'static str,
    /// What a graph gives back.
    pub outputs: &'static str,
    /// The schema of what a graph takes or gives.
    pub schema: &'static str,
    /// Whose model an agent has.
    pub provider: &'static str,
    /// The sources of an agent's tools.
    pub tools: &'static str,
    /// The server of a source in short form.
    pub short_server: &'static str,
    /// The server of a source.
    pub server: &'static str,
    /// The tools of a server.
    pub tool_names: &'static str,
}

impl BuilderKeys {
    /// No keys, for packages whose functions infer nothing.
    pub const NONE: BuilderKeys = BuilderKeys {
        description: "",
        nodes: "",
        edges: "",
        source: "",
        target: "",
        start: "",
        ends: "",
        inputs: "",
        outputs: "",
        schema: "",
        provider: "",
        tools: "",
        short_server: "",
        server: "",
        tool_names: "",
    };
}

/// A function that builds something, or a class whose instances do.
#[derive(Debug)]
pub struct Builder {
    /// The name by which the package exports it, with a dot before the name of a member.
    pub name: &'static str,
    /// What it builds.
    pub makes: Makes,
    /// Its arguments, in order.
    pub arguments: &'static [BuilderArgument],
    /// The options that are named or shaped differently from the document's keys.
    pub options: &'static [BuilderOption],
    /// Keys of the document that are there whatever the options are.
    pub fixed: &'static [(&'static str, &'static str)],
    /// Mappings of the document that are there even if they are empty.
    pub blocks: &'static [&'static str],
    /// Properties of what it returns that name keys of the memory.
    pub results: &'static [BuilderResult],
    /// Keys of the document with the text that each has if no option says otherwise.
    pub defaults: &'static [(&'static str, &'static str)],
    /// Whether options without a row are dropped.
    pub is_closed: bool,
    /// How methods of what it returns add to it.
    pub chain: Option<&'static MethodChain>,
}

/// What a function builds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Makes {
    /// A graph in short form: what is left out is inferred.
    Graph,
    /// A graph in the document's form, in either spelling.
    WrittenGraph,
    Node,
    Agent,
    /// A tool, which graphs name.
    Tool,
    /// A registry of memory keys: each key is its own name.
    Keys,
    /// What methods add to: a graph, or a node.
    Chain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuilderArgument {
    /// The value of this option.
    Named(&'static str),
    /// A mapping of options. Several count like one.
    Options,
}

/// An option and the key of the document that it becomes.
#[derive(Debug)]
pub struct BuilderOption {
    /// The option.
    pub name: &'static str,
    /// The key of the document; dots lead into mappings.
    pub key: &'static str,
    /// How its value becomes the document's.
    pub form: OptionForm,
}

/// How the value of an option becomes that of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionForm {
    Same,
    /// A single text becomes a list of one.
    OneOrMany,
    /// A text becomes a mapping that says that an expression decides; an empty one is dropped.
    Condition,
    /// A text becomes a mapping of this type with the text under this key; what a function decides is not known.
    Expression(&'static str, &'static str),
    /// What a function decides, which is not known.
    Decision,
    /// A schema of code becomes its JSON Schema, without limits; anything else becomes one that allows everything.
    Schema,
    /// The package makes a text of it that is not known.
    Composed,
    /// A text is the document's key; anything else stands under this other key.
    TextOr(&'static str),
    /// The id of a graph.
    Graph,
}

/// A property of what a function returns that names a key of the memory.
#[derive(Debug)]
pub struct BuilderResult {
    pub property: &'static str,
    /// The types of nodes that have it; empty if every node of the function has.
    pub types: &'static [&'static str],
    /// The option that names the key.
    pub named_by: Option<&'static str>,
    /// What stands behind the node's id in the key, if no option names it.
    pub behind_id: &'static str,
    /// What stands behind all that.
    pub suffix: &'static str,
}

/// An option of another name.
pub const fn option(name: &'static str, key: &'static str) -> BuilderOption {
    BuilderOption { name, key, form: OptionForm::Same }
}

impl BuilderOption {
    /// Its value has another form.
    pub const fn form(self, form: OptionForm) -> BuilderOption {
        BuilderOption { form, ..self }
    }
}

/// A property that names the key `<id><behind>`.
pub const fn result(property: &'static str, behind_id: &'static str) -> BuilderResult {
    BuilderResult { property, types: &[], named_by: None, behind_id, suffix: "" }
}

impl BuilderResult {
    /// Nodes of these types alone have it.
    pub const fn of_types(self, types: &'static [&'static str]) -> BuilderResult {
        BuilderResult { types, ..self }
    }

    /// An option may name the key, behind which this stands.
    pub const fn named_by(self, option: &'static str, suffix: &'static str) -> BuilderResult {
        BuilderResult { named_by: Some(option), suffix, ..self }
    }
}

/// A function that builds a node of one type, from options alone.
pub const fn node_builder(name: &'static str, fixed: &'static [(&'static str, &'static str)]) -> Builder {
    Builder {
        name,
        makes: Makes::Node,
        arguments: &[BuilderArgument::Options],
        options: &[],
        fixed,
        blocks: &[],
        results: &[],
        defaults: &[],
        is_closed: false,
        chain: None,
    }
}

/// A function that builds something else than a node, from options alone.
pub const fn builder(name: &'static str, makes: Makes) -> Builder {
    Builder { makes, ..node_builder(name, &[]) }
}

impl Builder {
    pub const fn arguments(self, arguments: &'static [BuilderArgument]) -> Builder {
        Builder { arguments, ..self }
    }

    /// Its options of other names.
    pub const fn options(self, options: &'static [BuilderOption]) -> Builder {
        Builder { options, ..self }
    }

    /// Keys of the document that no option changes.
    pub const fn fixed(self, fixed: &'static [(&'static str, &'static str)]) -> Builder {
        Builder { fixed, ..self }
    }

    /// Mappings that are always there.
    pub const fn blocks(self, blocks: &'static [&'static str]) -> Builder {
        Builder { blocks, ..self }
    }

    /// What keys are if no option says otherwise; options without a row are dropped.
    pub const fn closed(self, defaults: &'static [(&'static str, &'static str)]) -> Builder {
        Builder { defaults, is_closed: true, ..self }
    }

    /// The methods that add to what it returns.
    pub const fn chain(self, chain: &'static MethodChain) -> Builder {
        Builder { makes: Makes::Chain, chain: Some(chain), ..self }
    }

    /// The properties that name keys of the memory.
    pub const fn results(self, results: &'static [BuilderResult]) -> Builder {
        Builder { results, ..self }
    }
}

impl Builders {
    /// Whether a program imports the functions from there.
    #[must_use]
    pub fn is_package(&self, module: &str) -> bool {
        let below = |package: &&str| module.strip_prefix(*package).is_some_and(|rest| rest.starts_with('/'));
        self.packages.iter().any(|package| *package == module || below(package))
    }

    /// The function of that name.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<&'static Builder> {
        self.functions.iter().find(|function| function.name == name)
    }

    /// The text that the package exports by that name.
    #[must_use]
    pub fn constant(&self, name: &str) -> Option<&'static str> {
        self.constants.iter().find(|(constant, _)| *constant == name).map(|(_, text)| *text)
    }

    /// Whether functions stand behind a name and a dot.
    #[must_use]
    pub fn is_group(&self, name: &str) -> bool {
        let is_member =
            |function: &Builder| function.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        self.functions.iter().any(is_member)
    }
}
