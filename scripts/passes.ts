/**
 * `npm run passes`: how many files and functions of src one `cadre run`, one more tool call and one refused definition
 * pass through, by V8's coverage of the sources. The last line is JSON.
 */
import { spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-passes-"))

const plain = passed("plain", { reader: [{ text: "Done." }] })
const calling = passed("calling", {
  reader: [{ calls: [{ tool: "Read", input: { file_path: "note.txt" } }] }, { text: "Done." }],
})
const refused = passed("refused", { reader: [{ text: "Done." }] }, "tools: Reed\nmodell: x\n")
fs.rmSync(folder, { recursive: true })
const call = new Set([...calling].filter((one) => !plain.has(one)))
console.log(
  JSON.stringify({
    run: counted(plain),
    "tool call besides": counted(call),
    "refused definition": counted(refused),
  }),
)

/** Functions that ran, each as file and place; a file's own top level is none. */
function passed(name: string, script: object, keys = ""): ReadonlySet<string> {
  const [work, coverage] = [path.join(folder, name), path.join(folder, `${name}-coverage`)]
  fs.mkdirSync(path.join(work, ".cadre/agents"), { recursive: true })
  fs.writeFileSync(path.join(work, "note.txt"), "A note.\n")
  fs.writeFileSync(path.join(work, "script.json"), JSON.stringify(script))
  fs.writeFileSync(
    path.join(work, ".cadre/agents/reader.md"),
    `---\nname: reader\ndescription: Reads files.\n${keys || "tools: Read\n"}---\nRead what you are told to.\n`,
  )
  const tsx = import.meta.resolve("tsx")
  const words = ["run", "reader", "Read note.txt.", "--model", "script:script.json", "--trust", "--json"]
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", tsx, path.join(root, "src/faces/cli/main.ts"), ...words],
    {
      cwd: work,
      encoding: "utf8",
      env: {
        PATH: process.env.PATH ?? "",
        HOME: path.join(folder, "home"),
        CADRE_STATE_DIR: path.join(folder, "state"),
        NODE_V8_COVERAGE: coverage,
      },
    },
  )
  if ((status === 0) !== (keys === "")) throw new Error(`${name} ended with ${status}: ${stderr}`)
  return new Set(fs.readdirSync(coverage).flatMap((file) => functionsIn(path.join(coverage, file))))
}

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly functionName: string
      readonly ranges: readonly [{ readonly startOffset: number; readonly count: number }]
    }[]
  }[]
}

function functionsIn(file: string): readonly string[] {
  const { result } = JSON.parse(fs.readFileSync(file, "utf8")) as Coverage
  const src = pathToFileURL(path.join(root, "src/")).href
  return result
    .filter(({ url }) => url.startsWith(src))
    .flatMap(({ url, functions }) =>
      functions
        // What the translation puts into every file is named `__name`.
        .filter(({ functionName, ranges }) => !/^$|^__/.test(functionName) && ranges[0].count > 0)
        .map(
          ({ functionName, ranges }) => `${url.slice(src.length)} ${functionName}@${ranges[0].startOffset}`,
        ),
    )
}

function counted(all: ReadonlySet<string>): { readonly files: number; readonly functions: number } {
  return { files: new Set([...all].map((one) => one.split(" ")[0])).size, functions: all.size }
}
