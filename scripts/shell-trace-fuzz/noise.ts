import os from "node:os"
import path from "node:path"
import { isWithin, type Judged } from "./compare.ts"
import type { Deed } from "./read-trace.ts"
import { tracked } from "./world.ts"

type FileDeed = Deed & { readonly path: string }

/**
 * What every program does by itself, whatever it is asked, so that nobody wants to be told. None of it is in the folder
 * that is worked in, but for what git keeps in `.git`.
 */
export function isNoise(deed: FileDeed, judged: Judged): boolean {
  if (isWithin(path.dirname(judged.folder), deed.path))
    return (
      isOwnFolder(deed, judged) ||
      isOnTheWay(deed, judged) ||
      isGitsOwn(deed, judged) ||
      isLibrarys(deed, judged)
    )
  if (deed.type === "read" || deed.type === "list")
    return systemReads.some((pattern) => pattern.test(deed.path)) || isSettings(deed, judged)
  return systemWrites.some((pattern) => pattern.test(deed.path))
}

const systemReads: readonly RegExp[] = [
  // The loader, libraries, and what programs bring with them.
  /^\/(?:usr\/)?(?:local\/)?lib(?:32|64|exec|x32)?(?:\/|$)/,
  /^\/etc\/(?:ld\.so\.|alternatives\/)/,
  // Languages, time zones, terminals, kinds of files, man pages.
  /^\/usr\/(?:local\/)?share\//,
  /^\/var\/cache\/man(?:\/|$)/,
  /^\/(?:etc|usr\/lib)\/(?:localtime|locale|terminfo|magic|mime|inputrc|manpath\.config)/,
  // Names of users, hosts and services.
  /^\/etc\/(?:nsswitch\.conf|passwd|group|hosts|host\.conf|resolv\.conf|gai\.conf|services|protocols|networks|hostid|machine-id|mailname|popt)$/,
  // Who is logged in.
  /^\/(?:run|var\/run|var\/log)\/[uw]tmp/,
  /^\/(?:etc|run|run\/host|usr\/lib)\/(?:systemd\/)?userdb(?:\/|$)|^\/run\/host$/,
  // Settings of the whole machine, which its owner made.
  /^\/etc\/(?:git(?:config|attributes)|wgetrc|sysless|ssl\/|ssh\/ssh_config|vim\/|perl\/|crypto-policies|pki\/|gnutls\/|zsh|papersize|DIR_COLORS)/,
  /^\/(?:etc|run|usr|usr\/local|var|mnt|opt)?\/?$/,
  /^\/etc\/(?:groff|ldap|profile|profile\.d|bash\.bashrc)(?:\/|$)/,
  // What the kernel tells about the machine and the process itself.
  /^\/(?:proc|sys)(?:\/|$)/,
  /^\/dev\/(?:null|tty|zero|full|u?random|pts\/.*|fd\/.*|std(?:in|out|err))$/,
  // Where programs are looked for.
  /^\/(?:usr\/)?(?:local\/)?s?bin(?:\/|$)/,
  // Temporary files of its own: the folder is empty at the start.
  /^\/(?:tmp|var\/tmp)(?:\/|$)/,
]

const systemWrites: readonly RegExp[] = [
  /^\/var\/cache\/man\//,
  /^\/dev\/(?:null|tty|zero|full|pts\/.*|fd\/.*|std(?:in|out|err))$/,
  /^\/(?:tmp|var\/tmp)\//,
  /^\/proc\/self\//,
  // Names that a program gives its own threads.
  /^\/proc\/[0-9]+\/task\/[0-9]+\/comm$/,
]

/** Settings of the user, which programs look for in the home folder, or in the one that the system has for whoever runs this. */
const isSettings = ({ path: name }: FileDeed, { home }: Judged): boolean =>
  (isWithin(home, name) && !isWithin(path.join(home, "private"), name)) ||
  (isWithin(systemHome, name) &&
    /^(?:\/\.[^/]*|\/\.(?:ssh|config)\/.*)?$/.test(name.slice(systemHome.length)))

const systemHome = os.userInfo().homedir

/** To list names is not to read files, in the folder that is worked in and where the command stands. */
const isOwnFolder = (deed: FileDeed, { folder, before }: Judged): boolean =>
  (deed.type === "list" || (deed.type === "read" && before(deed.path) === "folder")) &&
  isWithin(folder, deed.path)

/** To list the folders above a file that was told shows no more than where it is. */
const isOnTheWay = (deed: FileDeed, { accesses }: Judged): boolean =>
  deed.type === "list" && accesses.some((access) => "path" in access && isWithin(deed.path, access.path))

/** The library for LDAP in curl looks for settings here when it is asked for its version, and shows nothing of them. */
const isLibrarys = (deed: FileDeed, { folder, line }: Judged): boolean =>
  deed.type === "read" && deed.path === path.join(folder, "ldaprc") && /^curl /.test(line)

/** What git keeps for itself. Hooks, settings and attributes are not among it when they are written. */
function isGitsOwn(deed: FileDeed, { folder, accesses, before }: Judged): boolean {
  const verbs = accesses.flatMap((access) =>
    access.type === "command" ? (/^git ?(.*)/.exec(access.text)?.[1] ?? []) : [],
  )
  if (verbs.length === 0) return false
  const name = path.relative(folder, deed.path)
  // Whoever takes in all that is here names it, and git shows it to nobody.
  if (deed.type === "read" && verbs.some((verb) => takesAll(verb, folder, before))) return true
  // To tell what has changed it compares each file that it keeps with what it has of it, and shows nothing of either.
  if (deed.type === "read" && tracked.has(name) && verbs.some((verb) => comparing.test(verb))) return true
  if (deed.type === "read" || deed.type === "list")
    return /^(?:\.git(?:$|\/)|(?:.*\/)?\.git(?:attributes|ignore|modules)$|\.mailmap$)/.test(name)
  // A file is locked by another beside it.
  const inside = /^\.git(?:$|\/(.*?)(?:\.lock)?$)/.exec(name)
  if (!inside)
    return accesses.some(
      (access) => access.type === "write" && `${access.path}.lock` === deed.path.replace("/.lock", ".lock"),
    )
  const [first = "", second = ""] = inside[1]?.split("/") ?? []
  if (
    gitsNames.has(first) ||
    first.startsWith("sharedindex.") ||
    /^(?:[A-Z]+_)*(?:HEAD|MSG|EDITMSG|MODE|RR|LOG|START|NAMES|TERMS|EXPECTED_REV|RUN|MERGE|AUTOSTASH)$/.test(
      first,
    )
  )
    return true
  if (first === "info" && (second === "" || /^(?:refs|rev-cache)/.test(second))) return true
  // Which branch follows which is noted among the settings.
  if (
    first === "config" &&
    verbs.some((verb) => /^(?:.* )?(?:branch|worktree|checkout|switch|push|pull)(?: |$)/.test(verb))
  )
    return true
  // The template that git brings along; its hooks are samples, which do not run.
  return (
    verbs.some((verb) => /^(?:.* )?(?:init|clone)(?: |$)/.test(verb)) &&
    /^(?:config|description|hooks(?:\/[\w-]+\.sample)?|info\/exclude)$/.test(inside[1]!)
  )
}

/** Verbs that bring the index up to date first, or tell names and numbers only; `stash` and `commit` keep what has changed. */
const comparing =
  /^(?:-.* )?(?:status|reset|commit|stash|bisect|checkout|switch|restore|merge|pull|rebase|cherry-pick|revert|am|describe|update-index|ls-files|rm|mv|read-tree|submodule)(?: |$)|^(?:-.* )?diff(?:-files|-index)? .*--(?:name-only|name-status|stat|numstat|shortstat|summary|quiet|raw)/

function takesAll(verb: string, folder: string, before: Judged["before"]): boolean {
  const [name = "", ...words] = verb.split(" ")
  return (
    /^(?:add|stage)$/.test(name) &&
    words.some((word) =>
      word.startsWith("-")
        ? /^(?:-[a-zA-Z]*[Au]|--al|--up|--no-ignore-rem|--renorm)/.test(word)
        : before(path.join(folder, word)) === "folder",
    )
  )
}

const gitsNames: ReadonlySet<string> = new Set([
  ...[
    "",
    "index",
    "objects",
    "refs",
    "logs",
    "packed-refs",
    "gc.pid",
    "gc.log",
    "shallow",
    "modules",
    "rr-cache",
  ],
  ...["worktrees", "sequencer", "rebase-apply", "rebase-merge", "branches", "lost-found"],
])

/** Programs that others start by themselves to do what they are for. */
export const isHelper = (
  program: string,
  helper: string,
  words: readonly string[],
  deeds: readonly Deed[],
): boolean =>
  (helpers[program]?.test(helper) ?? false) ||
  // Some start their helpers through a shell.
  (helper === "sh" &&
    ["tar", "ssh", "scp", "sftp"].includes(program) &&
    new RegExp(`^(?:(?:${packers})(?: -d)?|exec (?:/usr/bin/)?ssh .*)$`).test(words[2] ?? "")) ||
  // A login shell reads the profile of the machine, which its owner made and which asks who this is.
  (program === "bash" && helper === "id" && words[1] === "-u") ||
  (program === "git" &&
    ofGitsScripts.test(helper) &&
    deeds.some((deed) => deed.type === "run" && gitScript.test(deed.program)))

/** Verbs of git that are scripts for a shell, and what these scripts start. */
const gitScript =
  /^\/usr\/lib\/git-core\/git-(?:submodule|bisect|filter-branch|merge-\w+|mergetool|difftool--helper|request-pull|quiltimport|web--browse|instaweb)$/
const ofGitsScripts =
  /^(?:basename|dirname|sed|gettext|envsubst|uname|tr|cut|expr|cat|rm|mkdir|grep|sort|wc|test|touch|mv|cp)$/

const shellScript = "sh|dash|bash"
const packers = "gzip|bzip2|xz|zstd|lzma|lzip|lzop|compress|gunzip|zcat|lz4|unxz|pigz"

const helpers: Readonly<Record<string, RegExp>> = {
  // Its own commands, and the shell that its scripts are written for.
  git: new RegExp(`^(?:git(?:-.*)?|${shellScript})$`),
  ...Object.fromEntries(["tar", "file", "rg"].map((name) => [name, new RegExp(`^(?:${packers})$`)])),
  locale: /^gzip$/,
  diff3: /^diff$/,
  sdiff: /^diff$/,
  // What is told is whom they talk to.
  scp: /^(?:ssh|cp)$/,
  sftp: /^ssh$/,
  rsync: /^(?:ssh|rsync)$/,
  // They are scripts around a packer and a program for texts.
  ...Object.fromEntries(
    "zcat zgrep zegrep zfgrep zless zmore zdiff zcmp gunzip uncompress bzcat bzgrep bzless bzmore xzgrep xzless xzmore xzdiff which egrep fgrep"
      .split(" ")
      .map((name) => [
        name,
        new RegExp(
          `^(?:${shellScript}|${packers}|grep|egrep|fgrep|sed|less|more|diff|cmp|cat|rm|mktemp|expr|dirname|basename|which.*)$`,
        ),
      ]),
  ),
  man: /^(?:man|whatis|apropos|preconv|tbl|eqn|pic|refer|groff|troff|grotty|nroff|locale|less|more|pager|cat|col|sh|manconv|zsoelim|sensible-pager|gzip|bzip2|xz|lzip|zstd)$/,
}
