import path from "node:path"
import { type ProgramJudge, reportAccess, type Scene } from "../scene.ts"
import { leaveUnchanged } from "../state.ts"
import { builtins } from "./builtins.ts"
import { judgeVerb } from "./git-verbs.ts"

/** `git`: its repository, its remotes, and the many ways in which it runs other programs. */
export const judgeGit: ProgramJudge = (scene, words, state) => {
  let inside = state
  let index = 0
  for (; index < words.length; index++) {
    const text = words[index]!.value ?? words[index]!.pattern ?? ""
    if (text === "-C") {
      const folder = words[++index]
      if (folder) reportAccess(scene, "read", folder, inside, "below")
      if (folder) inside = builtins.cd!(scene, [folder], inside)!.success
    } else if (text === "-c") judgeSetting(scene, words[++index]?.value)
    else if (text === "--help" || text === "-h") {
      if (index + 1 < words.length) scene.findings.addUnclear(`git ${text} opens a page with another program`)
      return undefined
    } else if (
      /^(?:--no-pager|-P|--no-replace-objects|--literal-pathspecs|--version|-v|--no-optional-locks|--html-path|--man-path|--info-path)$/.test(
        text,
      )
    )
      continue
    else if (text.startsWith("-")) {
      scene.findings.addUnclear(`git ${text} can change which programs or settings git uses`)
      if (/^--(?:git-dir|work-tree|namespace|super-prefix|config-env|attr-source|shallow-file)$/.test(text))
        index++
    } else break
  }
  const verb = words[index]
  if (!verb) return undefined
  // Rules begin with the verb, so `git -C x push` counts as `git push`, too.
  if (index > 0)
    scene.findings.addAlias(["git", ...words.slice(index).map(({ written }) => written)].join(" "))
  if (!inside.folders)
    scene.findings.addUnclear("the repository that git works in is only known when the command runs")
  if (inside.folders?.some((folder) => isBare(scene, folder)))
    scene.findings.addUnclear(
      "a folder that looks like a repository has its own settings, which can run programs",
    )
  if (
    words.some((word) => word.pattern !== undefined && !/[^*?[]/.test(word.pattern)) &&
    !words.slice(index + 1).some((word) => word.value === "--")
  )
    scene.findings.addUnclear("git may read a file's name as an option")
  judgeVerb(scene, verb, words.slice(index + 1), inside)
  return leaveUnchanged(state)
}

/**
 * Git takes a folder with the parts of a repository for one, and runs what its settings say. That also holds
 * in a folder below it, unless there is a `.git` on the way. Git only checks that the parts exist: they may
 * be links, or files, and lie where `commondir` says.
 */
function isBare({ paths }: Scene, folder: string): boolean {
  for (let place = paths.real("/", folder); ; place = path.dirname(place)) {
    if (paths.isFile(`${place}/.git`) || paths.isThere(`${place}/.git/HEAD`)) return false
    if (
      paths.isThere(`${place}/HEAD`) &&
      ["objects", "commondir"].some((part) => paths.isThere(`${place}/${part}`))
    )
      return true
    if (place === path.dirname(place)) return false
  }
}

/** Reports a setting, unless it only changes words and colours. */
function judgeSetting(scene: Scene, text: string | undefined): void {
  if (
    text === undefined ||
    !/^(?:user\.(?:name|email)|color\.[\w.]+|advice\.\w+|core\.(?:quotepath|autocrlf|abbrev)|init\.defaultbranch|diff\.(?:renames|algorithm|context)|log\.\w+|commit\.gpgsign|column\.\w+)=/i.test(
      text,
    )
  )
    scene.findings.addUnclear(`git -c ${text ?? ""} can make git run other programs`)
}
