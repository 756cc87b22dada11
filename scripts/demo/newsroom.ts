/** An editor and two reviewers, on a script instead of a paid model. */
import { createHash } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import { setTimeout } from "node:timers/promises"
import { createRuntime, defineAgent, defineTool, jsonlStore, type Runtime, scriptedModel } from "cadre"

export const article =
  "The Eiffel Tower was finished in 1899. It is very, very tall: it measures 330 metres.\n"
export const corrected = "The Eiffel Tower was finished in 1889. It measures 330 metres.\n"
export const answer = "The year is corrected to 1889, and the sentence about the height is shorter."

/** Where everything is, below one folder. */
export const placesIn = (folder: string) => ({
  desk: path.join(folder, "desk"),
  runs: path.join(folder, "runs"),
  /** The real effects of the tools, line by line, independent of the log. */
  ledger: path.join(folder, "ledger"),
})

export function openNewsroom(folder: string): Runtime {
  const { runs, ledger } = placesIn(folder)
  const note = (line: string) => fs.appendFileSync(ledger, `${line}\n`)

  const read = defineTool<{ file: string }>({
    name: "Read",
    description: "Reads a file on the desk.",
    effect: "read",
    input: files({}),
    async execute({ file }, { agent, cwd }) {
      note(`${agent} Read ${file}`)
      await setTimeout(150)
      return fs.readFileSync(path.join(cwd, path.basename(file)), "utf8")
    },
  })
  const write = defineTool<{ file: string; text: string }>({
    name: "Write",
    description: "Writes a file on the desk.",
    effect: "idempotent",
    input: files({ text: { type: "string" } }),
    async execute({ file, text }, { agent, cwd }) {
      note(`${agent} Write ${file}`)
      await setTimeout(150)
      fs.writeFileSync(path.join(cwd, path.basename(file)), text)
      const hash = createHash("sha256").update(text).digest("hex")
      return { text: `Wrote ${file}.`, evidence: { files: [{ path: file, hash }] } }
    },
  })
  return createRuntime({
    store: jsonlStore({ directory: runs }),
    agents: [
      defineAgent({
        name: "editor",
        instructions: "Have the text reviewed, then correct it.",
        model: "writer",
      }),
      defineAgent({ name: "facts", description: "Checks facts.", instructions: "Check every fact." }),
      defineAgent({ name: "style", description: "Checks style.", instructions: "Check every sentence." }),
    ],
    tools: [read, write],
    models: { writer: scriptedModel(script, "scripted-writer-1") },
  })
}

const files = (more: object) => ({
  type: "object",
  properties: { file: { type: "string" }, ...more },
  required: ["file", ...Object.keys(more)],
})

const usage = (inputTokens: number, outputTokens: number) => ({ usage: { inputTokens, outputTokens } })
const review = (agent: string) => ({
  tool: "Agent",
  input: { agent, prompt: `Review article.md. Write what you find to ${agent}.md.` },
})
const readArticle = { calls: [{ tool: "Read", input: { file: "article.md" } }], ...usage(310, 22) }
const writeFile = (file: string, text: string) => ({ calls: [{ tool: "Write", input: { file, text } }] })

const script = {
  editor: [
    {
      delayMs: 400,
      text: "Both reviews can go on at the same time.",
      calls: [review("facts"), review("style")],
      ...usage(420, 61),
    },
    { delayMs: 400, ...writeFile("article.md", corrected), ...usage(690, 48) },
    { delayMs: 300, text: answer, ...usage(760, 25) },
  ],
  facts: [
    { delayMs: 250, ...readArticle },
    { delayMs: 250, ...writeFile("facts.md", "It was finished in 1889, not in 1899.\n"), ...usage(380, 34) },
    { delayMs: 300, text: "One mistake: the year is 1889.", ...usage(430, 12) },
  ],
  style: [
    { delayMs: 250, ...readArticle },
    {
      delayMs: 1100,
      ...writeFile("style.md", 'Leave "very, very tall" out: the number says it.\n'),
      ...usage(390, 41),
    },
    { delayMs: 250, text: "One remark: the height is told twice.", ...usage(450, 14) },
  ],
}
