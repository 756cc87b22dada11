// Calls of one script, in a process of its own: argv is the mode, the script and the number of calls. Prints the
// milliseconds of a call. `bare` asks Monty in this process; `cadre` is a run whose model calls the script as a tool.
const [mode, script, count] = process.argv.slice(2)
const calls = Number(count)
const play = mode === "bare" ? await bare() : await cadre()
// One call before, so that only later ones are timed where there are several.
if (calls > 1) await play(1)
const begun = performance.now()
await play(calls)
console.log(JSON.stringify({ time: (performance.now() - begun) / calls }))
process.exit(0)

async function bare() {
  const { Monty } = await import("@pydantic/monty")
  const limits = { maxMemory: 16 * 2 ** 20, maxDurationSecs: 2, maxRecursionDepth: 200 }
  return async (times) => {
    for (let index = 0; index < times; index++) {
      const monty = new Monty("x + 1\n", { scriptName: "add.pym", inputs: ["x"] })
      if (monty.start({ inputs: { x: index }, limits }).output !== index + 1) throw new Error("A wrong sum.")
    }
  }
}

async function cadre() {
  const { createRuntime, defineAgent, memoryStore, scriptedModel } = await import("../../dist/index.mjs")
  return async (times) => {
    const turns = Array.from({ length: times }, (_, x) => ({ calls: [{ tool: "add", input: { x } }] }))
    const runtime = createRuntime({
      store: memoryStore(),
      agents: [
        defineAgent({
          name: "adder",
          instructions: "Add.",
          tools: ["add"],
          toolDefinitions: [{ name: "add", description: "Adds one.", script }],
        }),
      ],
      models: { m: scriptedModel({ adder: [...turns, { text: "Done." }] }) },
    })
    const sums = []
    for await (const event of runtime.run("adder", "Add.", { limits: { maxTurns: times + 1 } }))
      if (event.type === "tool-end") sums.push(Number(event.result.text))
    await runtime.close()
    if (sums.length !== times || sums.some((sum, x) => sum !== x + 1)) throw new Error(`Wrong sums: ${sums}`)
  }
}
