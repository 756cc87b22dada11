/** Verbs that names of exported functions begin with, sorted. A new verb is one more line of these. */
const verbs = `
accept activate adapt add adopt advance anchor answer append apply ask assemble assign assume
attach attempt begin bind block bound bridge build calculate call cap capitalize carry change
charge check choose claim classify clean clip close collect combine compact compare compile
compose compute conclude conduct connect contain convert copy count create cut decide decode
define deliver derive describe detect diagnose digest disable discover dispatch display divide
draw drive drop edit encode end enter escape estimate evaluate examine execute expand explain
extract fail fetch fill filter find finish fit fix fold follow foresee forget format free freeze
gather get give go grant group guess hand hash hide identify index inline inspect invert isolate
join judge keep kill leave lex link list listen load locate lock log look lose make map mark mask
match mend merge move name normalise normalize notify open order override pack pad paint parse
pass patch pick pin place plan post prepare present preview print process project prune pull
qualify quote rank read recognise reconsider record redact refresh refuse register rehearse
release remember remove render repair repeat replace report represent request require reserve
resolve restore resume rethrow retry review revoke reword rewrite round route run scale scan
score screen seal search send separate serve set settle shape shorten show sign skip slice sort
spawn speak split start step stop store strip sum suppose survey sweep sync take tally tell test
think tidy track trim try unbundle unpack unseal upcast update use verify vet wait walk warn
watch work write zip
`
/** Questions: functions that return true or false. */
const questions = `
applies are asks awaits cannot changes contains could covers did excludes exists finds fits
has is lacks matches may means must needs offers resembles satisfies sends speaks takes
waits
`
/** `withModel` and `withoutModel` return a changed copy, and `toSlug` another form of its input. */
const forms = "to with without"

export const verbWords = wordsOf(verbs)
export const questionWords = wordsOf(questions)
export const beginnings: ReadonlySet<string> = new Set([...verbWords, ...questionWords, ...wordsOf(forms)])

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "")
}
