import { extractNodes, type FileNodes } from "../../src/world/nodes/extract.ts"
import { detectNameLanguage, detectTextLanguage } from "../../src/world/nodes/languages.ts"
import type { CodeNode } from "../../src/world/nodes/node.ts"
import { openReaders } from "../../src/world/nodes/readers.ts"

const readers = openReaders({})

/** The nodes of a text, as if it were a file of this name. */
export async function nodesIn(file: string, text: string): Promise<FileNodes> {
  const language = detectTextLanguage(file, detectNameLanguage(file)!, text)
  const bytes = Buffer.from(text)
  return extractNodes({ file, language, text, bytes }, await readers.open(language))
}

/** Type, full name and lines of every node but the file itself. */
export async function outline(file: string, text: string): Promise<readonly string[]> {
  const { nodes } = await nodesIn(file, text)
  return nodes.filter(({ type }) => type !== "file").map(lineOf)
}

export const lineOf = ({ type, fullName, startLine, endLine }: CodeNode): string =>
  `${type} ${fullName} ${startLine}-${endLine}`

/** The text of a node as it is in the file. */
export const textIn = (text: string, { startByte, endByte }: CodeNode): string =>
  Buffer.from(text).toString("utf8", startByte, endByte)

/** One file for each language, with what is hard about it. */
export const samples: Readonly<Record<string, string>> = {
  "a.py": `class A:
    def m(self): return "ä"
    class In:
        @staticmethod
        def m(x): pass
def m(é): return é
`,
  "a.ts": `export class A<T> { m(a: string): void; m(a: number): void; m(a: unknown) { return "ä" } }
const f = <T>(x: T) => x
interface I { m(): void }
`,
  "a.tsx": `export const View = ({ name }: { name: string }) => <b title="ä">{name}</b>
function other() { return <View name="x" /> }
`,
  "a.js": `const o = { m() { return "ä" }, n: () => 1 }
class A { static m() {} #p = () => 2 }
`,
  "a.go": `package a
type A struct { x int }
func (a *A) M() string { return "ä" }
func M() {}
`,
  "a.rs": `struct A;
impl A { fn m(&self) -> &str { "ä" } }
impl Clone for A { fn clone(&self) -> A { A } }
fn m() {}
`,
  "a.java": `class A { A() {} void m(int a) { String s = "ä"; } void m(String a) {} class In { void m() {} } }
interface I { void m(); }
`,
  "a.cpp": `namespace n { class A { void m() {} void o(); }; }
void n::A::o() { auto s = "ä"; }
template <typename T> T f(T t) { return t; }
`,
  "a.c": `struct A { int x; };
static char *f(int a) { return "ä"; }
int g(void) { return 0; }
`,
}
