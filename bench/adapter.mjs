import { memoryStore } from "../dist/index.mjs"
import { createAdapter } from "./_adapter.mjs"

// biome-ignore format: the bench finds this line by the semicolon at its end
export const meta = { name: "cadre (JSON, memory store)", peer: null, packages: [], mode: "json", notes: "" };

export const create = createAdapter({ stream: "json", store: memoryStore })
