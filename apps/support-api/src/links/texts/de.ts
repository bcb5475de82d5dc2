import type { TextKey } from './en.js';

/** The German of the pages behind links. */
export const DE: Readonly<Record<TextKey, string>> = {
  person: 'Für',
  bottle: 'Pillendose',
  bottle_labelled: '{{label}} (endet auf {{end}})',
  bottle_unlabelled: 'endet auf {{end}}',
  medication: 'Medikament',

  known: 'Was die Pillendose gemeldet hat',
  dose_of: 'Die Einnahme von {{time}}.',
  nothing_removed: 'Sie hat für diese Einnahme keine Entnahme gemeldet.',
  part_removed: '{{taken}} von {{all}} Tabletten dieser Einnahme wurden entnommen: {{time}}.',
  open_since: 'Sie war ab {{time}} offen: Die Tabletten können genommen worden sein.',
  count_fell:
    '{{pills}} Tabletten haben sie zwischen {{from}} und {{until}} verlassen. Die Meldung vom Schließen ging verloren: Ob sie zu dieser Einnahme gehörten, ist nicht bekannt.',
  not_connected:
    'Sie war am Ende der Einnahmezeit nicht verbunden: Ob die Einnahme erfolgte, ist nicht bekannt.',
  plan_not_monitored:
    'Eine andere Pillendose desselben Plans war nicht überwacht: Ob die Tabletten von dort genommen wurden, ist nicht bekannt.',
  we_were_down: 'Zwischen {{from}} und {{until}} konnten wir keine Meldungen empfangen.',
  elsewhere_unknown:
    'Ob Tabletten von anderswo genommen wurden, etwa aus einer Wochenbox, ist nicht bekannt.',
  last_report: 'Letzte Meldung der Pillendose: {{time}}.',
  no_report: 'Die Pillendose hat sich noch nie gemeldet.',
  pills_removed: 'Am {{time}} wurden Tabletten entnommen, so viele, wie die Einnahmen vor {{until}} haben.',

  reported_taken: '{{who}} hat sie am {{at}} als erfolgt gemeldet.',
  reported_taken_at: '{{who}} hat sie am {{at}} als erfolgt gemeldet: {{time}}.',
  reported_partial: '{{who}} hat sie am {{at}} als teilweise erfolgt gemeldet.',
  reported_not_taken: '{{who}} hat am {{at}} gemeldet, dass ihre Tabletten für später entnommen wurden.',
  reported_skipped: '{{who}} hat sie am {{at}} als ausgelassen gemeldet ({{reason}}).',
  the_patient: 'Der Patient',
  the_carer: 'Die Betreuungsperson',
  you_acknowledged: 'Sie kümmern sich darum, seit {{at}}.',
  who_acknowledged: '{{who}} kümmert sich darum, seit {{at}}.',
  you_promised: 'Sie haben am {{at}} geantwortet: Die Einnahme erfolgt um {{until}}.',
  who_promised: '{{who}} hat am {{at}} geantwortet: Die Einnahme erfolgt um {{until}}.',
  you_closed: 'Sie haben ihn am {{at}} geschlossen.',
  who_closed: '{{who}} hat ihn am {{at}} geschlossen.',
  recorded_for_patient: 'Der Patient (eingetragen von {{name}})',
  recorded_for_carer: 'Die Betreuungsperson (eingetragen von {{name}})',

  ask_dose: 'Was Sie drücken, wird festgehalten.',
  ask_acknowledge: 'Kümmern Sie sich darum? Wenn Sie das bestätigen, kommen keine weiteren Erinnerungen.',
  i_took_it: 'Ich habe sie genommen',
  it_was_taken: 'Sie wurde genommen',
  taken_otherwise: 'Zu einer anderen Zeit oder von anderswo',
  taken_when: 'Um wie viel Uhr? Lassen Sie das Feld leer, wenn Sie es nicht wissen.',
  taken_from: 'Von wo?',
  from_bottle: 'Aus dieser Pillendose',
  from_elsewhere: 'Von anderswo, etwa aus einer Wochenbox',
  record: 'Festhalten',
  i_will_take_it: 'Ich nehme sie um {{time}}',
  it_will_be_taken: 'Sie wird um {{time}} genommen',
  i_skip: 'Ich lasse sie aus: Grund …',
  it_is_skipped: 'Sie wird ausgelassen: Grund …',
  skip_in_own_words: 'In eigenen Worten',
  pillbox_until: 'Sie sind bis {{time}} in einer Wochenbox',
  acknowledge: 'Ich kümmere mich darum',
  undo: 'Antwort zurücknehmen',
  undo_until: 'Sie können Ihre Antwort bis {{time}} zurücknehmen.',
  wrong_person: 'Diese Nachrichten sind nicht für mich',

  skip_forgot: 'vergessen',
  skip_felt_better: 'es ging besser',
  skip_side_effect: 'eine Nebenwirkung',
  skip_ran_out: 'keine Tabletten mehr',
  skip_doctors_advice: 'auf ärztlichen Rat',
  skip_not_needed: 'nicht nötig',
  skip_away: 'nicht zu Hause',
  skip_other: 'ein anderer Grund',

  thank_you: 'Danke',
  recorded: 'Es ist festgehalten. Alle Beteiligten sehen, was Sie gemeldet haben.',
  recorded_pillbox: 'Es ist festgehalten: Diese Einnahmen werden aus der Wochenbox erwartet.',
  promised: 'Erinnerungen warten bis {{time}}. Nehmen Sie die Tabletten dann aus der Pillendose.',
  acknowledged: 'Der Alarm ist bestätigt. Alle Beteiligten sehen, dass Sie sich darum kümmern.',
  already_acknowledged: 'Jemand kümmert sich schon darum',
  undone: 'Ihre Antwort ist zurückgenommen',
  undone_text: 'Sie zählt nicht mehr. Sie können neu antworten.',
  answer_again: 'Neu antworten',
  used: 'Schon beantwortet',
  used_text:
    'Das wurde schon festgehalten oder kommt zu spät. Es wurde nichts geändert. Zum Berichtigen wenden Sie sich an den Support.',
  bad_time: 'Diese Zeit kann nicht stimmen',
  bad_time_text:
    'Die Einnahme war zu dieser Zeit nicht fällig, oder die Zeit kommt erst noch. Es wurde nichts festgehalten. Gehen Sie zurück und geben Sie eine andere Zeit ein.',
  ended: 'Dieser Alarm ist beendet',
  ended_text: 'Sie müssen nichts tun.',
  invalid: 'Ungültiger Link',
  invalid_text: 'Öffnen Sie den Link genau so, wie er in der Nachricht steht.',
  revoked: 'Dieser Link gilt nicht mehr',
  revoked_text: 'Der Kontakt, an den er ging, wurde entfernt oder hat jetzt eine andere Adresse.',
  expired: 'Dieser Link ist abgelaufen',
  not_acknowledged: 'Der Alarm wurde nicht bestätigt, und nichts wurde festgehalten.',
  not_confirmed: 'Die Adresse wurde nicht bestätigt.',
  contact_support: 'Bitte wenden Sie sich an den Support.',

  confirm_address: 'Bestätigen Sie Ihre Adresse',
  confirm_address_text:
    'Nachrichten kommen künftig an die Adresse, an die dieser Link ging. Ist es Ihre, und erwarten Sie sie?',
  confirm: 'Bestätigen',
  confirmed: 'Ihre Adresse ist bestätigt.',

  stop: 'Keine Nachrichten mehr an diese Adresse?',
  stop_text:
    'Nachrichten zu diesen Pillendosen kommen dann nicht mehr an die Adresse, an die dieser Link ging. Sie gehen an die nächste Person des Plans, und der Betreiber sieht, dass Sie sie abbestellt haben.',
  stop_button: 'Nachrichten abbestellen',
  stopped: 'Nachrichten sind abbestellt',
  stopped_text: 'An diese Adresse geht nichts mehr, bis der Betreiber sie mit Ihnen neu bestätigt.',

  // messages in the browser
  push: 'Mitteilungen auf diesem Gerät',
  push_text: 'Dieses Gerät kann Nachrichten wie diese anzeigen, sobald sie gesendet werden.',
  push_button: 'Nachrichten auf diesem Gerät anzeigen',
  push_added:
    'Dieses Gerät zeigt ab jetzt Nachrichten an. Um das zu beenden, schalten Sie im Browser die Mitteilungen dieser Seite aus.',
  push_denied:
    'Der Browser erlaubt es nicht. Erlauben Sie in seinen Einstellungen die Mitteilungen dieser Seite und versuchen Sie es noch einmal.',
  push_full: 'Schon fünf Ihrer Geräte zeigen Nachrichten an. Wenden Sie sich an den Support.',
  push_failed: 'Es hat nicht funktioniert. Versuchen Sie es später noch einmal.',

  sms_taken: 'Ihre Antwort: genommen.',
  sms_later: 'Ihre Antwort: später.',
  sms_skipped: 'Ihre Antwort: ausgelassen.',
  sms_none: 'Keine Einnahme wartet auf eine Antwort. Es wurde nichts festgehalten.',
  sms_several:
    'Mehrere Einnahmen warten auf eine Antwort, und eine Ziffer sagt nicht, welche Sie meinen. Es wurde nichts festgehalten. Bitte nutzen Sie den Link in der Nachricht zur Einnahme.',

  call: 'Fragen? Rufen Sie an: {{phone}}',
  imprint: 'Impressum',
};
