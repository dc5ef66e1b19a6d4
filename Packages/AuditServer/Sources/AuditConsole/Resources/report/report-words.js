// The words of the access report in the languages that it can be printed in. Every language has the same keys.

/** @typedef {string | { one: string, other: string }} Words */

/** @type {Record<string, Record<string, Words>>} */
export const catalog = {
  en: {
    language: "English",
    title: "Who looked at this record",
    lead: "Each line is one visit: somebody opened the record, perhaps several times within half an hour. A record counts as seen when a program had it ready to be shown on a screen.",
    record: "Record", period: "Time", everything: "everything that is kept", span: "{from} to {until}", from: "from {from}", until: "until {until}",
    made: "Made", madeBy: "{time}, by {who}", zone: "Times", zoneOf: "in {zone}, by the clocks of the devices",
    visits: { one: "{n} visit", other: "{n} visits" }, people: { one: "by {n} person", other: "by {n} people" },
    when: "When", who: "Who", what: "What happened", activity: "While doing", reason: "Reason given", none: "none",
    seen: { one: "seen", other: "seen {n} times" }, created: "created", deleted: "deleted", changed: "changed", changedFields: "changed: {fields}",
    employee: "Employee {n}", nobody: "Nobody opened this record in this time.",
    unreadable: { one: "{n} entry cannot be read or was erased; it is not in the list.", other: "{n} entries cannot be read or were erased; they are not in the list." },
    more: "There is more than this list holds: it ends at {until}. Choose a shorter time to see the rest.",
    proof: "Proof", proven: { one: "{n} entry is as the device signed it.", other: "{n} entries are as the devices signed them." },
    held: { one: "{n} entry is unchanged since it arrived; its device has not signed it yet.", other: "{n} entries are unchanged since they arrived; their devices have not signed them yet." },
    masked: { one: "{n} entry has its signed place; its content is not shown here.", other: "{n} entries have their signed places; their contents are not shown here." },
    broken: { one: "{n} entry does not match what was signed.", other: "{n} entries do not match what was signed." },
    unchecked: { one: "{n} entry was not checked.", other: "{n} entries were not checked." },
    question: "If you have a question about an entry, give its date and time.",
  },
  de: {
    language: "Deutsch",
    title: "Wer diese Akte angesehen hat",
    lead: "Jede Zeile ist ein Besuch: Jemand hat die Akte geöffnet, vielleicht mehrmals innerhalb einer halben Stunde. Eine Akte gilt als gesehen, wenn ein Programm sie zum Anzeigen auf einem Bildschirm bereit hatte.",
    record: "Akte", period: "Zeitraum", everything: "alles, was aufbewahrt ist", span: "{from} bis {until}", from: "ab {from}", until: "bis {until}",
    made: "Erstellt", madeBy: "{time}, von {who}", zone: "Zeiten", zoneOf: "in {zone}, nach den Uhren der Geräte",
    visits: { one: "{n} Besuch", other: "{n} Besuche" }, people: { one: "von {n} Person", other: "von {n} Personen" },
    when: "Wann", who: "Wer", what: "Was geschah", activity: "Bei welcher Tätigkeit", reason: "Angegebener Grund", none: "keiner",
    seen: { one: "gesehen", other: "{n}-mal gesehen" }, created: "angelegt", deleted: "gelöscht", changed: "geändert", changedFields: "geändert: {fields}",
    employee: "Beschäftigte Person {n}", nobody: "In diesem Zeitraum hat niemand diese Akte geöffnet.",
    unreadable: { one: "{n} Eintrag ist nicht lesbar oder wurde gelöscht; er steht nicht in der Liste.", other: "{n} Einträge sind nicht lesbar oder wurden gelöscht; sie stehen nicht in der Liste." },
    more: "Es gibt mehr, als diese Liste fasst: Sie endet am {until}. Wählen Sie einen kürzeren Zeitraum, um den Rest zu sehen.",
    proof: "Nachweis", proven: { one: "{n} Eintrag ist so, wie das Gerät ihn unterschrieben hat.", other: "{n} Einträge sind so, wie die Geräte sie unterschrieben haben." },
    held: { one: "{n} Eintrag ist seit seiner Ankunft unverändert; sein Gerät hat ihn noch nicht unterschrieben.", other: "{n} Einträge sind seit ihrer Ankunft unverändert; ihre Geräte haben sie noch nicht unterschrieben." },
    masked: { one: "{n} Eintrag steht an seiner unterschriebenen Stelle; sein Inhalt wird hier nicht gezeigt.", other: "{n} Einträge stehen an ihren unterschriebenen Stellen; ihre Inhalte werden hier nicht gezeigt." },
    broken: { one: "{n} Eintrag stimmt nicht mit dem überein, was unterschrieben wurde.", other: "{n} Einträge stimmen nicht mit dem überein, was unterschrieben wurde." },
    unchecked: { one: "{n} Eintrag wurde nicht geprüft.", other: "{n} Einträge wurden nicht geprüft." },
    question: "Wenn Sie zu einem Eintrag eine Frage haben, nennen Sie bitte Datum und Uhrzeit.",
  },
  fr: {
    language: "Français",
    title: "Qui a consulté ce dossier",
    lead: "Chaque ligne est une visite : quelqu’un a ouvert le dossier, peut-être plusieurs fois en une demi-heure. Un dossier compte comme vu lorsqu’un programme l’avait prêt à être affiché sur un écran.",
    record: "Dossier", period: "Période", everything: "tout ce qui est conservé", span: "du {from} au {until}", from: "à partir du {from}", until: "jusqu’au {until}",
    made: "Établi", madeBy: "le {time}, par {who}", zone: "Heures", zoneOf: "en {zone}, d’après les horloges des appareils",
    visits: { one: "{n} visite", other: "{n} visites" }, people: { one: "par {n} personne", other: "par {n} personnes" },
    when: "Quand", who: "Qui", what: "Ce qui s’est passé", activity: "Pendant quelle activité", reason: "Motif indiqué", none: "aucun",
    seen: { one: "vu", other: "vu {n} fois" }, created: "créé", deleted: "supprimé", changed: "modifié", changedFields: "modifié : {fields}",
    employee: "Membre du personnel {n}", nobody: "Personne n’a ouvert ce dossier pendant cette période.",
    unreadable: { one: "{n} entrée est illisible ou a été effacée ; elle ne figure pas dans la liste.", other: "{n} entrées sont illisibles ou ont été effacées ; elles ne figurent pas dans la liste." },
    more: "Il y a plus que ce que cette liste contient : elle s’arrête au {until}. Choisissez une période plus courte pour voir le reste.",
    proof: "Preuve", proven: { one: "{n} entrée est telle que l’appareil l’a signée.", other: "{n} entrées sont telles que les appareils les ont signées." },
    held: { one: "{n} entrée est inchangée depuis son arrivée ; son appareil ne l’a pas encore signée.", other: "{n} entrées sont inchangées depuis leur arrivée ; leurs appareils ne les ont pas encore signées." },
    masked: { one: "{n} entrée est à sa place signée ; son contenu n’est pas montré ici.", other: "{n} entrées sont à leurs places signées ; leurs contenus ne sont pas montrés ici." },
    broken: { one: "{n} entrée ne correspond pas à ce qui a été signé.", other: "{n} entrées ne correspondent pas à ce qui a été signé." },
    unchecked: { one: "{n} entrée n’a pas été vérifiée.", other: "{n} entrées n’ont pas été vérifiées." },
    question: "Si vous avez une question sur une entrée, indiquez sa date et son heure.",
  },
  es: {
    language: "Español",
    title: "Quién ha consultado este expediente",
    lead: "Cada línea es una visita: alguien abrió el expediente, quizá varias veces en media hora. Un expediente cuenta como visto cuando un programa lo tenía listo para mostrarlo en una pantalla.",
    record: "Expediente", period: "Periodo", everything: "todo lo que se conserva", span: "del {from} al {until}", from: "desde el {from}", until: "hasta el {until}",
    made: "Elaborado", madeBy: "el {time}, por {who}", zone: "Horas", zoneOf: "en {zone}, según los relojes de los dispositivos",
    visits: { one: "{n} visita", other: "{n} visitas" }, people: { one: "de {n} persona", other: "de {n} personas" },
    when: "Cuándo", who: "Quién", what: "Qué ocurrió", activity: "Durante qué actividad", reason: "Motivo indicado", none: "ninguno",
    seen: { one: "visto", other: "visto {n} veces" }, created: "creado", deleted: "eliminado", changed: "modificado", changedFields: "modificado: {fields}",
    employee: "Miembro del personal {n}", nobody: "Nadie abrió este expediente en este periodo.",
    unreadable: { one: "{n} entrada no se puede leer o fue borrada; no figura en la lista.", other: "{n} entradas no se pueden leer o fueron borradas; no figuran en la lista." },
    more: "Hay más de lo que cabe en esta lista: termina el {until}. Elija un periodo más corto para ver el resto.",
    proof: "Prueba", proven: { one: "{n} entrada está tal como la firmó el dispositivo.", other: "{n} entradas están tal como las firmaron los dispositivos." },
    held: { one: "{n} entrada no ha cambiado desde su llegada; su dispositivo aún no la ha firmado.", other: "{n} entradas no han cambiado desde su llegada; sus dispositivos aún no las han firmado." },
    masked: { one: "{n} entrada está en su lugar firmado; su contenido no se muestra aquí.", other: "{n} entradas están en sus lugares firmados; sus contenidos no se muestran aquí." },
    broken: { one: "{n} entrada no coincide con lo que se firmó.", other: "{n} entradas no coinciden con lo que se firmó." },
    unchecked: { one: "{n} entrada no se comprobó.", other: "{n} entradas no se comprobaron." },
    question: "Si tiene una pregunta sobre una entrada, indique su fecha y su hora.",
  },
}

/** The languages by their names. */
export const languages = Object.entries(catalog).map(([code, { language }]) => ({ code, name: String(language) }))

/**
 * The language that somebody's browser asks for, as far as the report has it; else English.
 *
 * @param {readonly string[]} wanted
 */
export const preferred = (wanted) => wanted.map((name) => name.slice(0, 2).toLowerCase()).find((code) => Object.hasOwn(catalog, code)) ?? "en"

/**
 * Says something in a language: `say("visits", { n: 3 })`. A number `n` chooses between the singular and the plural.
 *
 * @param {string} code
 */
export function speaker(code) {
  const words = catalog[code] ?? catalog.en
  const plurals = new Intl.PluralRules(code)
  const numbers = new Intl.NumberFormat(code)
  /** @param {string} key @param {Record<string, string | number>} [values] */
  return (key, values = {}) => {
    const entry = words[key]
    if (entry === undefined) throw new Error(`the report has no words for ${key}`)
    const text = typeof entry === "string" ? entry : plurals.select(Number(values.n)) === "one" ? entry.one : entry.other
    return text.replace(/\{(\w+)\}/g, (_, name) => {
      const value = values[name]
      return typeof value === "number" ? numbers.format(value) : (value ?? "")
    })
  }
}
