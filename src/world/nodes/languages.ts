import path from "node:path"

/** A language that cadre has a grammar for. */
export interface GrammarLanguage {
  readonly name: string
  /** The file of the grammar, as Node resolves it. The first one that is installed is used. */
  readonly grammars: readonly string[]
  /** The languages whose query packs apply. */
  readonly queries: readonly string[]
  /** Stands between the names of a path in the language itself. */
  readonly separator?: "::"
}

const grammarFile = (name: string) => `@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`

export const grammarLanguages: readonly GrammarLanguage[] = [
  { name: "python", grammars: [grammarFile("python")], queries: ["python"] },
  { name: "typescript", grammars: [grammarFile("typescript")], queries: ["typescript"] },
  { name: "tsx", grammars: [grammarFile("tsx")], queries: ["tsx", "typescript"] },
  { name: "javascript", grammars: [grammarFile("javascript")], queries: ["javascript"] },
  { name: "go", grammars: [grammarFile("go")], queries: ["go"] },
  { name: "rust", grammars: [grammarFile("rust")], queries: ["rust"], separator: "::" },
  { name: "java", grammars: [grammarFile("java")], queries: ["java"] },
  { name: "cpp", grammars: [grammarFile("cpp")], queries: ["cpp"], separator: "::" },
  {
    name: "c",
    // The grammar of C++ reads most of C.
    grammars: ["tree-sitter-c/tree-sitter-c.wasm", grammarFile("cpp")],
    queries: ["c"],
  },
]

export const findGrammarLanguage = (name: string): GrammarLanguage | undefined =>
  grammarLanguages.find((language) => language.name === name)

/** Extensions by language. A language without a grammar gives file nodes only. */
const extensions: Readonly<Record<string, string>> = {
  python: "py pyi pyw",
  typescript: "ts mts cts",
  tsx: "tsx",
  javascript: "js mjs cjs jsx",
  go: "go",
  rust: "rs",
  java: "java",
  cpp: "cpp cc cxx c++ hpp hh hxx h++ ipp tpp inl",
  c: "c h",
  bash: "sh bash zsh",
  clojure: "clj cljs cljc",
  csharp: "cs",
  css: "css scss less",
  dart: "dart",
  elixir: "ex exs",
  erlang: "erl hrl",
  fsharp: "fs fsx",
  groovy: "groovy gradle",
  haskell: "hs",
  html: "html htm",
  julia: "jl",
  kotlin: "kt kts",
  lua: "lua",
  objectivec: "m mm",
  ocaml: "ml mli",
  perl: "pl pm",
  php: "php",
  powershell: "ps1 psm1",
  r: "r",
  ruby: "rb",
  scala: "scala sc",
  sql: "sql",
  svelte: "svelte",
  swift: "swift",
  vue: "vue",
  zig: "zig",
}

const byExtension = new Map(
  Object.entries(extensions).flatMap(([language, list]) =>
    list.split(" ").map((extension) => [extension, language] as const),
  ),
)

export const knownLanguages: readonly string[] = Object.keys(extensions)

/** The language of a file by its name. Undefined: no source file that cadre knows. */
export function detectNameLanguage(file: string): string | undefined {
  return byExtension.get(path.extname(file).slice(1).toLowerCase())
}

/** Headers of C and C++ have the same extension: only words that C does not have tell them apart. */
export function detectTextLanguage(file: string, byName: string, text: string): string {
  return byName === "c" && /\.h$/i.test(file) && cppOnly.test(text) ? "cpp" : byName
}

/** True if a file may turn out to be of a wanted language. */
export const mayBeOf = (languages: readonly string[] | undefined, file: string, byName: string): boolean =>
  languages === undefined ||
  languages.includes(byName) ||
  (languages.includes("cpp") && byName === "c" && /\.h$/i.test(file))

const cppOnly =
  /^[ \t]*(?:class\s+\w|namespace\s+[\w:]*\s*\{|template\s*<|using\s+\w|(?:public|private|protected)\s*:)/m
