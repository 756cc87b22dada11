import path from "node:path"
import { type Program, type Scene, touch } from "../scene.ts"
import { unchanged } from "../state.ts"
import { builtins } from "./builtins.ts"
import { judgeVerb } from "./git-verbs.ts"

/** `git`: where it works, whom it talks to, and the many ways in which it runs other programs. */
export const git: Program = (scene, words, state) => {
  let inside = state
  let index = 0
  for (; index < words.length; index++) {
    const text = words[index]!.value ?? words[index]!.pattern ?? ""
    if (text === "-C") {
      const folder = words[++index]
      if (folder) touch(scene, "read", folder, inside, "below")
      if (folder) inside = builtins.cd!(scene, [folder], inside)!.success
    } else if (text === "-c") setting(scene, words[++index]?.value)
    else if (text === "--help" || text === "-h") {
      if (index + 1 < words.length) scene.found.unclear(`git ${text} opens a page with another program`)
      return undefined
    } else if (
      /^(?:--no-pager|-P|--no-replace-objects|--literal-pathspecs|--version|-v|--no-optional-locks|--html-path|--man-path|--info-path)$/.test(
        text,
      )
    )
      continue
    else if (text.startsWith("-")) {
      scene.found.unclear(`git ${text} can change which programs or settings git uses`)
      if (/^--(?:git-dir|work-tree|namespace|super-prefix|config-env|attr-source|shallow-file)$/.test(text))
        index++
    } else break
  }
  const verb = words[index]
  if (!verb) return undefined
  // Rules begin with the verb: `git -C x push` is a `git push`.
  if (index > 0)
    scene.found.alsoCalled(["git", ...words.slice(index).map(({ written }) => written)].join(" "))
  if (!inside.folders) scene.found.unclear("in which repository git works is not known before it runs")
  if (inside.folders?.some((folder) => isBare(scene, folder)))
    scene.found.unclear("a folder that looks like a repository has settings of its own")
  if (
    words.some((word) => word.pattern !== undefined && !/[^*?[]/.test(word.pattern)) &&
    !words.slice(index + 1).some((word) => word.value === "--")
  )
    scene.found.unclear("a file's name may be an option of git")
  judgeVerb(scene, verb, words.slice(index + 1), inside)
  return unchanged(state)
}

/**
 * A folder that holds what a repository is made of is taken for one, with whatever its settings run, and so it is from any
 * folder below it that has no `.git` on the way. Git asks of its parts only that they are there: they may be links, or
 * files, and lie where `commondir` says.
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

/** Settings that only change words and colours. */
function setting(scene: Scene, text: string | undefined): void {
  if (
    text === undefined ||
    !/^(?:user\.(?:name|email)|color\.[\w.]+|advice\.\w+|core\.(?:quotepath|autocrlf|abbrev)|init\.defaultbranch|diff\.(?:renames|algorithm|context)|log\.\w+|commit\.gpgsign|column\.\w+)=/i.test(
      text,
    )
  )
    scene.found.unclear(`git -c ${text ?? ""} can make git run other programs`)
}
