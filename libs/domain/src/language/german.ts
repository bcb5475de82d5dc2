/**
 * The German of messages by their English. What no recipient of a message gets, such as an operator's webhook, is not
 * here; the pages behind links have texts of their own.
 */
export const GERMAN = {
  // titles
  'Bottle battery low': 'Batterie der Pillendose schwach',
  'Reminder: battery still low': 'Erinnerung: Batterie noch immer schwach',
  'All clear: battery charged': 'Entwarnung: Batterie geladen',
  'Bottle left open': 'Pillendose offen gelassen',
  'Reminder: bottle still open': 'Erinnerung: Pillendose noch immer offen',
  'All clear: bottle closed': 'Entwarnung: Pillendose geschlossen',
  'Bottle was opened again': 'Pillendose wurde wieder geöffnet',
  'Bottle was probably closed': 'Pillendose wurde wahrscheinlich geschlossen',
  'Bottle is another person’s now': 'Pillendose gehört jetzt jemand anderem',
  'Bottle is not monitored for now': 'Pillendose ist zurzeit nicht überwacht',
  'Correction: the bottle had been closed': 'Korrektur: Die Pillendose war geschlossen',
  'Bottle offline': 'Pillendose nicht verbunden',
  'Bottle has never reported': 'Pillendose hat sich noch nie gemeldet',
  'Reminder: bottle has still never reported': 'Erinnerung: Pillendose hat sich noch immer nicht gemeldet',
  'Reminder: bottle still offline': 'Erinnerung: Pillendose noch immer nicht verbunden',
  'All clear: bottle online': 'Entwarnung: Pillendose verbunden',
  'All clear: bottle online again': 'Entwarnung: Pillendose wieder verbunden',
  'Weight and pill count differ': 'Gewicht und Zählung weichen ab',
  'Reminder: weight and pill count still differ': 'Erinnerung: Gewicht und Zählung weichen noch immer ab',
  'All clear: weight and pill count agree': 'Entwarnung: Gewicht und Zählung stimmen überein',
  'All clear: another medication is in the bottle':
    'Entwarnung: ein anderes Medikament ist in der Pillendose',
  'We could not see: no reports accepted, or no checks run':
    'Überwachungslücke: keine Meldungen empfangen oder nichts geprüft',
  'Coverage gap over: reports are accepted and checks run':
    'Überwachungslücke beendet: Meldungen kommen an und werden geprüft',
  'Correction: the dose was not monitored': 'Korrektur: Die Einnahme war nicht überwacht',
  'Correction: the dose was taken': 'Korrektur: Die Einnahme ist erfolgt',
  'Several doses missed in a row': 'Mehrere Einnahmen nacheinander versäumt',
  'Reminder: several doses missed in a row': 'Erinnerung: mehrere Einnahmen nacheinander versäumt',
  'All clear: doses are no longer missed in a row': 'Entwarnung: keine Einnahmen mehr nacheinander versäumt',
  'Correction: the doses were not missed in a row':
    'Korrektur: Die Einnahmen wurden nicht nacheinander versäumt',
  'More pills taken than planned': 'Mehr Tabletten genommen als geplant',
  'Were pills moved to a pillbox?': 'Wurden Tabletten in eine Wochenbox gefüllt?',
  'Reminder: were pills moved to a pillbox?': 'Erinnerung: Wurden Tabletten in eine Wochenbox gefüllt?',
  'All clear: the pills were put back': 'Entwarnung: Die Tabletten wurden zurückgelegt',
  'Pills were moved to a pillbox': 'Tabletten wurden in eine Wochenbox gefüllt',
  'Correction: no more pills than planned were taken':
    'Korrektur: Es wurden nicht mehr Tabletten genommen als geplant',
  'Many bottles offline at once': 'Viele Pillendosen zugleich nicht verbunden',
  'All clear: bottles online again': 'Entwarnung: Pillendosen wieder verbunden',
  'Pills running low': 'Tabletten gehen zur Neige',
  'All clear: bottle refilled': 'Entwarnung: Pillendose nachgefüllt',
  'All clear: pills last long enough': 'Entwarnung: Tabletten reichen lange genug',
  'Two bottles report with one token': 'Zwei Pillendosen melden sich mit einem Token',
  'All clear: the token was replaced': 'Entwarnung: Das Token wurde ersetzt',
  'All clear: counts no longer alternate': 'Entwarnung: Zählungen wechseln sich nicht mehr ab',
  'Help is needed': 'Hilfe wird gebraucht',
  'Reminder: help is needed': 'Erinnerung: Hilfe wird gebraucht',
  'Help is no longer needed': 'Hilfe wird nicht mehr gebraucht',
  'Dose reminder': 'Erinnerung an die Einnahme',
  'Dose reminder: not taken yet': 'Erinnerung an die Einnahme: noch nicht erfolgt',
  'Dose reminder: part of the dose was taken': 'Erinnerung an die Einnahme: ein Teil ist genommen',
  'Dose not taken yet': 'Einnahme noch nicht erfolgt',
  'Reminder: dose still not taken': 'Erinnerung: Einnahme noch immer nicht erfolgt',
  'Only part of the dose was taken so far': 'Bisher nur ein Teil der Einnahme',
  'Reminder: only part of the dose was taken so far': 'Erinnerung: bisher nur ein Teil der Einnahme',
  'Dose missed': 'Einnahme versäumt',
  'Only part of the dose was taken': 'Nur ein Teil der Einnahme',
  'Correction: part of the dose was taken': 'Korrektur: Ein Teil der Einnahme ist erfolgt',
  'Doses missed earlier': 'Früher versäumte Einnahmen',
  'Dose cannot be confirmed': 'Einnahme lässt sich nicht bestätigen',
  'Rest of the dose cannot be confirmed': 'Rest der Einnahme lässt sich nicht bestätigen',
  'Doses cannot be confirmed': 'Einnahmen lassen sich nicht bestätigen',
  'All clear': 'Entwarnung',
  'All clear: late dose taken': 'Entwarnung: Verspätete Einnahme erfolgt',
  'Dose reported taken': 'Einnahme als erfolgt gemeldet',
  'Dose reported skipped': 'Einnahme als ausgelassen gemeldet',
  'Dose reported taken by {{by}}': 'Einnahme als erfolgt gemeldet: {{by}}',
  'Dose reported skipped by {{by}}': 'Einnahme als ausgelassen gemeldet: {{by}}',
  'Correction: dose reported taken by {{by}}': 'Korrektur: Einnahme als erfolgt gemeldet: {{by}}',
  'Correction: dose reported skipped by {{by}}': 'Korrektur: Einnahme als ausgelassen gemeldet: {{by}}',
  'Correction: the statement no longer counts': 'Korrektur: Die Angabe gilt nicht mehr',
  'Correction: dose not taken yet': 'Korrektur: Einnahme noch nicht erfolgt',
  'Correction: only part of the dose was taken so far': 'Korrektur: bisher nur ein Teil der Einnahme',
  'Alert closed by support': 'Alarm vom Support geschlossen',
  'Correction: this alert was wrong': 'Korrektur: Dieser Alarm war falsch',

  // what every message says
  'Bottle {{end}}': 'Pillendose {{end}}',
  '{{amount}} pill': '{{amount}} Tablette',
  '{{amount}} pills': '{{amount}} Tabletten',
  'The patient asks for help with the dose of {{time}}.':
    'Der Patient bittet um Hilfe bei der Einnahme von {{time}}.',
  'A carer asks for help with the dose of {{time}}.':
    'Eine Betreuungsperson bittet um Hilfe bei der Einnahme von {{time}}.',
  'Whoever asked for help with the dose of {{time}} has withdrawn it.':
    'Wer um Hilfe bei der Einnahme von {{time}} gebeten hat, hat es zurückgenommen.',
  'Due: {{time}}.': 'Fällig: {{time}}.',
  'Noticed: {{time}}.': 'Bemerkt: {{time}}.',
  'Ended: {{time}}.': 'Beendet: {{time}}.',
  'Taken, later or skipped?': 'Genommen, später oder ausgelassen?',
  'Or reply: 1 taken, 2 later, 3 skipped, 4 help':
    'Oder Antwort: 1 genommen, 2 später, 3 ausgelassen, 4 Hilfe',
  'Or reply: 1 taken, 3 skipped, 4 help': 'Oder Antwort: 1 genommen, 3 ausgelassen, 4 Hilfe',
  'Taken or skipped?': 'Genommen oder ausgelassen?',
  Acknowledge: 'Alarm quittieren',

  // a closing by staff
  'Alert: {{title}}.': 'Alarm: {{title}}.',
  'Closed by {{by}}. Reason: {{reason}}.': 'Geschlossen von {{by}}. Grund: {{reason}}.',
  'Closed by staff. Reason: {{reason}}.': 'Vom Personal geschlossen. Grund: {{reason}}.',
  'the device is faulty': 'das Gerät ist defekt',
  'another alert is about the same': 'ein anderer Alarm meldet dasselbe',
  'settled by phone': 'telefonisch geklärt',
  'no action is needed': 'es ist nichts zu tun',
  'the bottle is no longer in use': 'die Pillendose ist nicht mehr in Gebrauch',
  other: 'ein anderer',
  'This does not say whether the dose was taken. You get a message if it is missed.':
    'Das sagt nicht, ob die Einnahme erfolgt ist. Sie erhalten eine Nachricht, wenn sie versäumt wird.',
  'Further doses may be missed.': 'Weitere Einnahmen können versäumt werden.',
  'The bottle may still be open.': 'Die Pillendose kann noch offen sein.',
  'The bottle may still be offline.': 'Die Pillendose ist vielleicht noch nicht wieder verbunden.',
  'The pills may still be running low.': 'Die Tabletten können noch immer zur Neige gehen.',
  'Weight and pill count may still differ.': 'Gewicht und Zählung können noch immer abweichen.',
  'The battery may still be low.': 'Die Batterie kann noch immer schwach sein.',
  'The gap may last.': 'Die Lücke kann andauern.',
  'Two bottles may still report with one token.':
    'Zwei Pillendosen melden sich vielleicht noch immer mit einem Token.',

  // what is known of a dose
  '{{taken}} of {{pills}} was taken': '{{taken}} von {{pills}} genommen',
  '{{taken}} of {{pills}} were taken': '{{taken}} von {{pills}} genommen',
  'The bottle was open from {{time}} on: the pill may have been taken.':
    'Die Pillendose war ab {{time}} offen: Die Tablette kann genommen worden sein.',
  "Removed for later, by {{by}}'s word.": 'Für später entnommen (Angabe: {{by}}).',
  'Taken: {{time}}.': 'Genommen: {{time}}.',
  'Reason: {{reason}}.': 'Grund: {{reason}}.',
  'It is no longer reported taken. Changed by {{by}}.':
    'Die Einnahme ist nicht mehr als erfolgt gemeldet. Geändert: {{by}}.',
  'It is no longer reported skipped. Changed by {{by}}.':
    'Die Einnahme ist nicht mehr als ausgelassen gemeldet. Geändert: {{by}}.',
  'The bottle recorded no dose.': 'Die Pillendose hat keine Einnahme gemeldet.',
  'By what the bottle has reported since, its pills are in the bottle or count for another dose.':
    'Nach dem, was die Pillendose seither gemeldet hat, sind die Tabletten in der Dose oder zählen für eine andere Einnahme.',
  'The bottle is monitored after all: a period was changed.':
    'Die Pillendose ist doch überwacht: Ein Zeitraum wurde geändert.',
  'The bottle was closed at {{time}}, and did not report whether pills were taken out.':
    'Die Pillendose wurde geschlossen: {{time}}. Sie hat nicht gemeldet, ob dabei Tabletten entnommen wurden.',
  'The bottle was filled at {{time}}, and no count shows whether pills were taken out then.':
    'Die Pillendose wurde aufgefüllt: {{time}}. Keine Zählung zeigt, ob dabei Tabletten entnommen wurden.',
  'By its count, {{pills}} left the bottle between {{from}} and {{until}}. The report of its closing was lost.':
    'Nach ihrer Zählung haben {{pills}} die Pillendose zwischen {{from}} und {{until}} verlassen. Die Meldung vom Schließen ging verloren.',
  'The bottle was not connected at its end.': 'Die Pillendose war am Ende der Einnahmezeit nicht verbunden.',
  'Ask whether it was taken.': 'Fragen Sie, ob die Einnahme erfolgt ist.',
  'Ask whether the rest was taken.': 'Fragen Sie, ob der Rest genommen wurde.',
  'the dose of {{time}}': 'die Einnahme von {{time}}',
  'the dose of {{time}} was missed': 'die Einnahme von {{time}} wurde versäumt',
  '{{taken}} of {{pills}} of the dose of {{time}} was taken':
    '{{taken}} von {{pills}} der Einnahme von {{time}} genommen',
  '{{taken}} of {{pills}} of the dose of {{time}} were taken':
    '{{taken}} von {{pills}} der Einnahme von {{time}} genommen',
  'Between {{from}} and {{until}} we could not receive reports. These doses cannot be confirmed:':
    'Zwischen {{from}} und {{until}} konnten wir keine Meldungen empfangen. Diese Einnahmen lassen sich nicht bestätigen:',
  'The bottle has not reported since {{time}}.': 'Die Pillendose hat sich seit {{time}} nicht gemeldet.',
  'The bottle has never reported.': 'Die Pillendose hat sich noch nie gemeldet.',
  'We cannot know whether the dose was taken.': 'Wir können nicht wissen, ob die Einnahme erfolgt ist.',
  '{{count}} doses in a row were missed. The first was due: {{time}}.':
    '{{count}} Einnahmen nacheinander wurden versäumt. Die erste war fällig: {{time}}.',
  'The row ended with the dose of {{time}}.': 'Die Reihe endete mit der Einnahme von {{time}}.',
  'Cannot be confirmed: the dose of {{time}}.': 'Lässt sich nicht bestätigen: die Einnahme von {{time}}.',
  'Not confirmed while the bottle was offline: the dose of {{time}}.':
    'Nicht bestätigt, während die Pillendose nicht verbunden war: die Einnahme von {{time}}.',

  // whose word it is
  'the patient': 'Patient',
  'the carer': 'Betreuungsperson',
  'the patient (recorded by {{name}})': 'Patient (eingetragen von {{name}})',
  'the carer (recorded by {{name}})': 'Betreuungsperson (eingetragen von {{name}})',
  staff: 'Personal',
  'the patient (recorded by staff)': 'Patient (vom Personal eingetragen)',
  'the carer (recorded by staff)': 'Betreuungsperson (vom Personal eingetragen)',

  // why a dose is skipped
  forgotten: 'vergessen',
  'felt better': 'es ging besser',
  'a side effect': 'eine Nebenwirkung',
  'no pills left': 'keine Tabletten mehr',
  'on medical advice': 'auf ärztlichen Rat',
  'not needed': 'nicht nötig',
  'not at home': 'nicht zu Hause',
  'another reason': 'ein anderer Grund',

  // why a bottle is not monitored
  'The bottle was not monitored at the time: {{reason}}.':
    'Die Pillendose war zu dieser Zeit nicht überwacht: {{reason}}.',
  'Another bottle of the same plan was not monitored: {{reason}}.':
    'Eine andere Pillendose desselben Plans war nicht überwacht: {{reason}}.',
  'Not monitored: {{reason}}.': 'Nicht überwacht: {{reason}}.',
  pause: 'Pause',
  'hospital stay': 'Krankenhausaufenthalt',
  travel: 'Reise',
  'doses from a pillbox': 'Einnahmen aus einer Wochenbox',
  'device fault': 'Gerätefehler',
  'doses from another container': 'Einnahmen aus einem anderen Behälter',
  'bottle not in use': 'Pillendose nicht in Gebrauch',

  // pills beyond the plan
  '{{pills}} more than planned was removed: {{time}}.':
    '{{pills}} mehr als geplant wurde entnommen: {{time}}.',
  '{{pills}} more than planned were removed: {{time}}.':
    '{{pills}} mehr als geplant wurden entnommen: {{time}}.',
  'In all, that makes {{pills}} more than planned.': 'Zusammen sind das {{pills}} mehr als geplant.',
  'Put back: {{time}}.': 'Zurückgelegt: {{time}}.',
  'The dose was complete without that.': 'Die Einnahme war auch so vollständig.',
  'No dose was due.': 'Es war keine Einnahme fällig.',
  'The schedule is paused.': 'Der Einnahmeplan ist unterbrochen.',
  'The schedule had ended.': 'Der Einnahmeplan war zu Ende.',
  'That is more than 24 hours allow.': 'Das ist mehr, als in 24 Stunden erlaubt ist.',
  'That is too soon after the last dose.': 'Das ist zu früh nach der letzten Einnahme.',
  'The dose was reported taken from elsewhere before.':
    'Die Einnahme war schon gemeldet, mit Tabletten von anderswo.',
  'The dose was reported skipped on medical advice before.':
    'Die Einnahme war schon als auf ärztlichen Rat ausgelassen gemeldet.',
  'Were they moved to a pillbox, for the doses before {{time}}? Say so by the link.':
    'Wurden sie in eine Wochenbox gefüllt, für die Einnahmen vor {{time}}? Melden Sie das über den Link.',
  'If they were moved to a pillbox, for the doses before {{time}}, say so by the link.':
    'Wurden sie in eine Wochenbox gefüllt, für die Einnahmen vor {{time}}, melden Sie das über den Link.',
  'The next dose is due {{after}} after it.': 'Die nächste Einnahme ist {{after}} danach fällig.',
  'The last dose was due {{before}} before, the next one is due {{after}} after it.':
    'Die letzte Einnahme war {{before}} davor fällig, die nächste ist {{after}} danach fällig.',
  '{{days}} days': '{{days}} Tage',
  '{{minutes}} min': '{{minutes}} Min.',
  '{{hours}} h': '{{hours}} Std.',
  '{{hours}} h {{minutes}} min': '{{hours}} Std. {{minutes}} Min.',

  // other kinds
  'Battery: {{percent}} %.': 'Batterie: {{percent}} %.',
  'Check whether the bottle is closed.': 'Prüfen Sie, ob die Pillendose geschlossen ist.',
  'By its count there is {{pills}} in it, by its weight about {{weighed}}.':
    'Nach der Zählung ist darin {{pills}}, nach dem Gewicht etwa {{weighed}}.',
  'By its count there are {{pills}} in it, by its weight about {{weighed}}.':
    'Nach der Zählung sind darin {{pills}}, nach dem Gewicht etwa {{weighed}}.',
  'No notifier ran its checks.': 'Kein notifier hat geprüft.',
  'No device-api accepted reports.': 'Keine device-api hat Meldungen empfangen.',
  'From: {{time}}.': 'Von: {{time}}.',
  'To: {{time}}.': 'Bis: {{time}}.',
  'Doses due in it: {{doses}}.': 'Darin fällige Einnahmen: {{doses}}.',
  'Two counts alternate: {{one}} and {{other}} pills. Replace its token.':
    'Zwei Zählungen wechseln sich ab: {{one}} und {{other}} Tabletten. Ersetzen Sie das Token.',

  // around the messages of a mail
  '{{count}} messages about pill bottles': '{{count}} Nachrichten zu Pillendosen',
  'Questions? Call {{phone}}': 'Fragen? Rufen Sie an: {{phone}}',
  Imprint: 'Impressum',
  'Stop messages to this address': 'Nachrichten an diese Adresse abbestellen',

  // to a new address, and tests
  'Please confirm your e-mail address': 'Bitte bestätigen Sie Ihre E-Mail-Adresse',
  'Somebody has entered this address to receive messages. To receive them, open this page and press its button.':
    'Jemand hat diese Adresse eingetragen, damit Nachrichten an sie gehen. Um sie zu erhalten, öffnen Sie diese Seite und drücken Sie ihren Knopf.',
  'Confirm the address': 'Adresse bestätigen',
  'The link works for seven days. If you do not know what this is about, ignore this mail: nothing will be sent.':
    'Der Link gilt sieben Tage. Wenn Sie nicht wissen, worum es geht, beachten Sie diese E-Mail nicht: Es wird nichts gesendet.',
  'Somebody has entered this number to receive messages. To receive them, open this page and press its button: {{link}} If you do not know what this is about, ignore it: nothing else will be sent.':
    'Jemand hat diese Nummer eingetragen, damit Nachrichten an sie gehen. Um sie zu erhalten, öffnen Sie diese Seite und drücken Sie ihren Knopf: {{link}} Wenn Sie nicht wissen, worum es geht, beachten Sie das nicht: Es wird nichts weiter gesendet.',
  'Webhook endpoint disabled: {{name}}': 'Webhook-Endpunkt abgeschaltet: {{name}}',
  'Webhook endpoint fails: {{name}}': 'Webhook-Endpunkt antwortet nicht: {{name}}',
  'No message has arrived there since {{time}}.': 'Seit {{time}} ist dort keine Nachricht angekommen.',
  'Nothing is sent there any more. What is owed to it waits. When it works again, enable it in the settings of the console.':
    'Dorthin wird nichts mehr gesendet. Was aussteht, wartet. Wenn er wieder antwortet, schalten Sie ihn in den Einstellungen der Konsole ein.',
  'It is tried further. Check the receiver.': 'Es wird weiter versucht. Prüfen Sie den Empfänger.',
  'If none arrives until then, it is disabled in a day. Check the receiver, or send it a test message in the settings of the console.':
    'Wenn bis dahin keine ankommt, wird er in einem Tag abgeschaltet. Prüfen Sie den Empfänger, oder senden Sie ihm in den Einstellungen der Konsole eine Testnachricht.',
  'Test message': 'Testnachricht',
  'This is a test. Messages reach this address. Nothing has happened, and there is nothing to do.':
    'Das ist ein Test. Nachrichten erreichen diese Adresse. Es ist nichts geschehen, und es ist nichts zu tun.',
  'This is a test. Messages reach this number. There is nothing to do.':
    'Das ist ein Test. Nachrichten erreichen diese Nummer. Es ist nichts zu tun.',
  'This is a test. Messages reach this browser.': 'Das ist ein Test. Nachrichten erreichen diesen Browser.',
} as const;
