//! How programs write what documents say: the functions of a system's packages that build graphs, nodes and agents, and the
//! spelling of their options. One row a function, one row an option whose name or form differs from the document's.

use super::MethodChain;

/// How programs build documents of a system: the functions and types of its packages.
#[derive(Debug)]
pub struct Builders {
    /// The packages that export the functions. Subpaths of a package count too.
    pub packages: &'static [&'static str],
    pub functions: &'static [Builder],
    /// Options that are common to all nodes and differ from the document's keys in name or form.
    pub node: &'static [BuilderOption],
    /// The same for edges.
    pub edge: &'static [BuilderOption],
    /// The two keys of an edge in short form. Only an edge with both is converted by [`Builders::edge`].
    pub edge_ends: [&'static str; 2],
    /// The keys of documents that builders fill in or read.
    pub keys: BuilderKeys,
    /// Keys whose values keep their spelling instead of being converted to snake case.
    pub verbatim: &'static [&'static str],
    /// Beginnings of model names, each with the provider that follows from it, for agents without a provider.
    pub providers: &'static [(&'static str, &'static str)],
    /// Texts that the packages export, by name.
    pub constants: &'static [(&'static str, &'static str)],
    /// Exported types whose values are graphs in the form of the document.
    pub types: &'static [&'static str],
}

/// The keys of documents that builders fill in or read.
#[derive(Debug)]
pub struct BuilderKeys {
    /// The purpose of a graph.
    pub description: &'static str,
    pub nodes: &'static str,
    pub edges: &'static str,
    /// The source of an edge.
    pub source: &'static str,
    /// The target of an edge.
    pub target: &'static str,
    /// Where a run begins.
    pub start: &'static str,
    /// Where a run ends.
    pub ends: &'static str,
    /// The inputs of a graph.
    pub inputs: &'static str,
    /// The outputs of a graph.
    pub outputs: &'static str,
    /// The schema of an input or output.
    pub schema: &'static str,
    /// The provider of an agent's model.
    pub provider: &'static str,
    /// The sources of an agent's tools.
    pub tools: &'static str,
    /// The server of a source in short form.
    pub short_server: &'static str,
    /// The server of a source.
    pub server: &'static str,
    /// The names of a server's tools.
    pub tool_names: &'static str,
}

impl BuilderKeys {
    /// No keys, for packages whose functions fill in nothing.
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

/// A function or class that builds something.
#[derive(Debug)]
pub struct Builder {
    /// The exported name. For a member of an exported object, both names with a dot between.
    pub name: &'static str,
    /// What it builds.
    pub makes: Makes,
    /// The arguments, in order.
    pub arguments: &'static [BuilderArgument],
    /// Options that differ from the document's keys in name or form.
    pub options: &'static [BuilderOption],
    /// Keys of the document with a fixed text, whatever the options are.
    pub fixed: &'static [(&'static str, &'static str)],
    /// Mappings of the document that exist even if they are empty.
    pub blocks: &'static [&'static str],
    /// Properties of the result that name keys of the memory.
    pub results: &'static [BuilderResult],
    /// Keys of the document with a default text.
    pub defaults: &'static [(&'static str, &'static str)],
    /// Whether options without an entry in `options` are dropped instead of becoming keys.
    pub is_closed: bool,
    /// The methods of the result that add to it.
    pub chain: Option<&'static MethodChain>,
}

/// The kind of thing that a function builds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Makes {
    /// A graph in short form. Missing parts are inferred.
    Graph,
    /// A graph in the form of the document, with keys in camel case or snake case.
    WrittenGraph,
    Node,
    Agent,
    /// A tool, which graphs refer to by name.
    Tool,
    /// A registry of memory keys. The value of each key is its own name.
    Keys,
    /// A graph or a node that methods extend.
    Chain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuilderArgument {
    /// The value of the option with this name.
    Named(&'static str),
    /// A mapping of options. If there are several such arguments, they are merged.
    Options,
}

/// An option, and the key of the document that it becomes.
#[derive(Debug)]
pub struct BuilderOption {
    /// The name of the option.
    pub name: &'static str,
    /// The key of the document. Dots separate the keys of nested mappings.
    pub key: &'static str,
    /// How the value is converted.
    pub form: OptionForm,
}

/// How the value of an option is converted for the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionForm {
    Same,
    /// A single text becomes a list of one.
    OneOrMany,
    /// A text becomes a mapping that says that an expression decides. An empty text is dropped.
    Condition,
    /// A text becomes a mapping with this type and the text under this key. The decision of a function is unknown.
    Expression(&'static str, &'static str),
    /// The decision of a function, which is unknown.
    Decision,
    /// A Zod schema becomes its JSON Schema without limits. Any other value becomes a schema that allows everything.
    Schema,
    /// The package computes a text from it, which is unknown.
    Composed,
    /// A text goes under the key; any other value goes under this other key.
    TextOr(&'static str),
    /// A graph is replaced by its id.
    Graph,
}

/// A property of a function's result that names a key of the memory.
#[derive(Debug)]
pub struct BuilderResult {
    pub property: &'static str,
    /// The types of nodes that have the property; empty if all nodes of the function have it.
    pub types: &'static [&'static str],
    /// The option that sets the key.
    pub named_by: Option<&'static str>,
    /// If no option sets the key: the text that follows the node's id in the key.
    pub behind_id: &'static str,
    /// The text at the end of the key in both cases.
    pub suffix: &'static str,
}

/// An option whose name differs from the key.
pub const fn option(name: &'static str, key: &'static str) -> BuilderOption {
    BuilderOption { name, key, form: OptionForm::Same }
}

impl BuilderOption {
    /// Sets how the value is converted.
    pub const fn form(self, form: OptionForm) -> BuilderOption {
        BuilderOption { form, ..self }
    }
}

/// A property that names the key `<id><behind_id>`.
pub const fn result(property: &'static str, behind_id: &'static str) -> BuilderResult {
    BuilderResult { property, types: &[], named_by: None, behind_id, suffix: "" }
}

impl BuilderResult {
    /// Restricts the property to nodes of these types.
    pub const fn of_types(self, types: &'static [&'static str]) -> BuilderResult {
        BuilderResult { types, ..self }
    }

    /// Sets the option that sets the key, and the text at the end of the key.
    pub const fn named_by(self, option: &'static str, suffix: &'static str) -> BuilderResult {
        BuilderResult { named_by: Some(option), suffix, ..self }
    }
}

/// A function that builds a node of one type and takes only options.
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

/// A function that builds something other than a node and takes only options.
pub const fn builder(name: &'static str, makes: Makes) -> Builder {
    Builder { makes, ..node_builder(name, &[]) }
}

impl Builder {
    pub const fn arguments(self, arguments: &'static [BuilderArgument]) -> Builder {
        Builder { arguments, ..self }
    }

    /// Sets the options that differ from the document's keys.
    pub const fn options(self, options: &'static [BuilderOption]) -> Builder {
        Builder { options, ..self }
    }

    /// Sets the keys with a fixed text.
    pub const fn fixed(self, fixed: &'static [(&'static str, &'static str)]) -> Builder {
        Builder { fixed, ..self }
    }

    /// Sets the mappings that always exist.
    pub const fn blocks(self, blocks: &'static [&'static str]) -> Builder {
        Builder { blocks, ..self }
    }

    /// Sets the default texts of keys, and drops options without an entry.
    pub const fn closed(self, defaults: &'static [(&'static str, &'static str)]) -> Builder {
        Builder { defaults, is_closed: true, ..self }
    }

    /// Sets the methods that extend the result.
    pub const fn chain(self, chain: &'static MethodChain) -> Builder {
        Builder { makes: Makes::Chain, chain: Some(chain), ..self }
    }

    /// Sets the properties that name keys of the memory.
    pub const fn results(self, results: &'static [BuilderResult]) -> Builder {
        Builder { results, ..self }
    }
}

impl Builders {
    /// Whether a module name is one of the packages or a subpath of one.
    #[must_use]
    pub fn is_package(&self, module: &str) -> bool {
        let below = |package: &&str| module.strip_prefix(*package).is_some_and(|rest| rest.starts_with('/'));
        self.packages.iter().any(|package| *package == module || below(package))
    }

    /// The function with an exported name.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<&'static Builder> {
        self.functions.iter().find(|function| function.name == name)
    }

    /// The text that the packages export under a name.
    #[must_use]
    pub fn constant(&self, name: &str) -> Option<&'static str> {
        self.constants.iter().find(|(constant, _)| *constant == name).map(|(_, text)| *text)
    }

    /// Whether functions are exported as members of an object with this name.
    #[must_use]
    pub fn is_group(&self, name: &str) -> bool {
        let is_member =
            |function: &Builder| function.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        self.functions.iter().any(is_member)
    }
}
