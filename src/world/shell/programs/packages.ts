import { reportOtherVersion } from "../known-program.ts"
import { makePlainArgument, type ShellArgument } from "../resolve-word.ts"
import { type ProgramJudge, reportChange, reportIfExists, type Scene } from "../scene.ts"
import { judgeUnknownProgram } from "../unknown-program.ts"

/** Programs that install packages and run their scripts. */
export const packagePrograms: Readonly<Record<string, ProgramJudge>> = Object.fromEntries(
  ["npm", "pnpm", "yarn", "bun"].map((name): [string, ProgramJudge] => [name, packages(name)]),
)

/** Programs of which only the verb is known. */
export const verbPrograms: Readonly<Record<string, ProgramJudge>> = Object.fromEntries(
  `cargo docker podman kubectl helm terraform tofu gh glab aws gcloud az pip pip3 poetry uv pdm conda go dotnet mvn gradle
  composer bundle gem rustup systemctl apt apt-get brew deno hg svn jj vercel netlify wrangler firebase heroku fly`
    .split(/\s+/)
    .map((name): [string, ProgramJudge] => [
      name,
      (scene, words, state) => {
        nameVerbs(scene, name, words)
        return judgeUnknownProgram(scene, words, state)
      },
    ]),
)

/**
 * Reports the verb that a program is called with, whatever stands in front: `npm --prefix x publish` is an
 * `npm publish`. It is unknown which options take the next word as their value. So every word may be the verb
 * until one certainly is.
 */
function nameVerbs(scene: Scene, name: string, words: readonly ShellArgument[]): void {
  const addName = (rest: readonly ShellArgument[]) => {
    const [verb, ...others] = rest.map(({ written }) => written)
    if (rest.length < words.length) scene.findings.addAlias([name, verb, ...others].join(" "))
    const whole = name === "npm" && verb !== undefined ? npmVerb(verb) : undefined
    if (whole !== undefined && whole !== verb) scene.findings.addAlias([name, whole, ...others].join(" "))
  }
  let mayBeValue = false
  for (const [index, { value }] of words.slice(0, 20).entries()) {
    if (value?.startsWith("-") || value?.startsWith("+")) {
      mayBeValue = value.startsWith("-") && !value.includes("=") && !flags.has(value)
      continue
    }
    const rest = words.slice(index)
    addName(rest)
    withoutOptions(rest, addName)
    if (!mayBeValue) return
    mayBeValue = false
  }
}

/** `gh pr -R x merge` is also a `gh pr merge`. */
function withoutOptions(
  [verb, ...rest]: readonly ShellArgument[],
  called: (words: readonly ShellArgument[]) => void,
): void {
  const next = rest.findIndex(({ value }) => !value?.startsWith("-"))
  if (verb === undefined || next <= 0) return
  called([verb, ...rest.slice(next)])
  const after = rest[next + 1]
  if (after && !after.value?.startsWith("-")) called([verb, ...rest.slice(next + 1)])
}

/** Options of these programs that take no value. */
const flags: ReadonlySet<string> = new Set(
  `-g --global -s --silent -q --quiet -v --verbose -f --force -y --yes -D --debug --json -a --all --locked --offline --frozen
  --no-color --help -h --version -V --user --system --no-cache-dir -i --no-install --ignore-scripts --workspaces`.split(
    /\s+/,
  ),
)

/** The verb that a word abbreviates, or is an alias of. It may be the word itself. */
function npmVerb(word: string): string | undefined {
  const verbOfAlias = npmAliases[word]
  if (verbOfAlias !== undefined) return verbOfAlias
  const matches = new Set([...npmVerbs, ...Object.keys(npmAliases)].filter((verb) => verb.startsWith(word)))
  const [first] = matches
  return matches.size === 1 ? (npmAliases[first!] ?? first) : undefined
}

/** From npm 11.19, on 18 November 2026. */
const npmVerbs: readonly string[] =
  `access adduser approve-scripts audit bugs cache ci completion config dedupe deny-scripts deprecate diff dist-tag docs doctor
  edit exec explain explore find-dupes fund get help help-search init install install-ci-test install-scripts install-test
  link ll login logout ls org outdated owner pack ping pkg prefix profile prune publish query rebuild repo restart root run
  sbom search set shrinkwrap stage star stars start stop team test token trust undeprecate uninstall unpublish unstar update
  version view whoami`.split(/\s+/)

const npmAliases: Readonly<Record<string, string>> = Object.fromEntries(
  `author:owner home:docs issues:bugs info:view show:view find:search add:install unlink:uninstall remove:uninstall rm:uninstall
  r:uninstall un:uninstall rb:rebuild list:ls ln:link create:init i:install it:install-test cit:install-ci-test u:update
  up:update c:config s:search se:search tst:test t:test ddp:dedupe v:view run-script:run clean-install:ci
  clean-install-test:install-ci-test x:exec why:explain la:ll verison:version ic:ci innit:init in:install ins:install
  inst:install insta:install instal:install isnt:install isnta:install isntal:install isntall:install install-clean:ci
  isntall-clean:ci hlep:help dist-tags:dist-tag upgrade:update udpate:update rum:run sit:install-ci-test urn:run ogr:org
  add-user:adduser`
    .split(/\s+/)
    .map((pair) => pair.split(":") as [string, string]),
)

/** Verbs of npm that change nothing. */
const lookingVerbs = /^(?:ls|list|ll|la|view|info|show|outdated|why|explain|root|prefix|search|whoami|ping)$/
const flag = /^(?:--json|-a|--all|-g|--global|-l|--long|-p|--parseable|-s|--silent|--workspaces)$/
const valued = /^(?:--depth|--omit|--include|-w|--workspace)$/
const withValue = /^(?:--depth|--omit|--include|--workspace)=/

/**
 * True if npm only looks. In front of the verb, an option whose value is the next word is not accepted: that word may
 * look like the verb. Options must have their whole names, because npm also takes abbreviations.
 */
function onlyLooks(words: readonly ShellArgument[]): boolean {
  const texts = words.map(({ value }) => value ?? "?")
  const verb = texts.findIndex((text) => !flag.test(text) && !withValue.test(text))
  if (verb < 0 || !lookingVerbs.test(texts[verb]!)) return false
  return texts
    .slice(verb + 1)
    .every((text) =>
      text.startsWith("-")
        ? flag.test(text) || valued.test(text) || withValue.test(text)
        : !fetchingVerbs.test(texts[verb]!) || registryNames.test(text),
    )
}

/**
 * Verbs that fetch a package from wherever its name leads, and the names that are looked up in the registry.
 */
const fetchingVerbs = /^(?:view|info|show|outdated)$/
const registryNames = /^(?:@[\w.-]+\/)?(?!.*\.(?:tgz|tar|tar\.gz)$)[^/:\\]+$/i

function packages(name: string): ProgramJudge {
  return (scene, words, state) => {
    nameVerbs(scene, name, words)
    const options = words.filter(({ value, pattern }) => (value ?? pattern ?? "-").startsWith("-"))
    for (const word of options.slice(0, 500)) reportIfExists(scene, "read", word, state)
    // A package can be named by its path.
    for (const { value } of words.slice(0, 500)) {
      const place = /^(?:.*@)?(?:file:(?:\/\/)?(.+)|(\.{0,2}\/.*|\.{1,2}))$/s.exec(value ?? "")
      if (place) reportIfExists(scene, "read", makePlainArgument(place[1] ?? place[2]!), state)
    }
    if (words.length === 1 && /^(?:-v|--version)$/.test(words[0]!.value ?? "")) return undefined
    if (name === "npm" && onlyLooks(words)) {
      if (!scene.machine.has("npm", "npm 11")) reportOtherVersion(scene, words, state)
      return undefined
    }
    const [verb] = words.flatMap(({ value }) => (value === undefined || value.startsWith("-") ? [] : [value]))
    if (words.some(({ value, pattern }) => value === undefined && pattern === undefined))
      scene.findings.addUnclear(`the arguments of ${name} are only known when the command runs`)
    else if (verb !== undefined && !changing.test(verb))
      scene.findings.addUnclear(`${name} ${verb} runs commands from package.json or from a package`)
    else {
      // Packages bring their own scripts.
      scene.reportUnknown()
      reportChange(scene, makePlainArgument("."), state, "below")
    }
    return undefined
  }
}

const changing =
  /^(?:install|i|ci|add|uninstall|remove|update|dedupe|prune|link|version|pack|publish|audit|config|cache|login|logout)$/
