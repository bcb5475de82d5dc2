/** What the pages behind links say, by the names under which each language has it. `{{name}}` is put in. */
export const EN = {
  // whose dose, and which bottle
  person: 'For',
  bottle: 'Bottle',
  bottle_labelled: '{{label}} (ends in {{end}})',
  bottle_unlabelled: 'ends in {{end}}',
  medication: 'Medication',

  // what is known
  known: 'What the bottle reported',
  dose_taken: 'Dose taken',
  dose_in_pillbox: 'Dose expected from a pillbox',
  dose_of: 'The dose of {{time}}.',
  help_with_dose: 'Help is needed with the dose of {{time}}.',
  all_removed: 'It reported all pills of this dose removed.',
  nothing_removed: 'It reported no pills removed for this dose.',
  part_removed: '{{taken}} of {{all}} pills of this dose were removed: {{time}}.',
  open_since: 'It was open from {{time}} on: the pills may have been taken.',
  count_fell:
    '{{pills}} pills left it between {{from}} and {{until}}. The report of the closing was lost: whether they were this dose is not known.',
  not_said: 'It was closed on {{time}}, and did not report whether pills were taken out.',
  was_filled: 'It was filled on {{time}}, and no count shows whether pills were taken out then.',
  not_connected: 'It was not connected when the dose ended: whether the dose was taken is not known.',
  plan_not_monitored:
    'Another bottle of the same plan was not monitored: whether the dose was taken from it is not known.',
  we_were_down: 'Between {{from}} and {{until}} we could not receive reports.',
  elsewhere_unknown: 'Whether pills were taken from elsewhere, such as a pillbox, is not known.',
  last_report: 'Last report of the bottle: {{time}}.',
  no_report: 'The bottle has never reported.',
  pills_removed: 'Pills were removed on {{time}}, as many as the doses before {{until}} have.',

  // what people stated and did
  reported_taken: '{{who}} reported it taken, on {{at}}.',
  reported_taken_at: '{{who}} reported on {{at}} that it was taken on {{time}}.',
  reported_partial: '{{who}} reported it partly taken, on {{at}}.',
  reported_not_taken: '{{who}} reported its pills removed for later, on {{at}}.',
  reported_skipped: '{{who}} reported it skipped ({{reason}}), on {{at}}.',
  reported_in_pillbox: '{{who}} reported its pills in a pillbox, on {{at}}.',
  asked_for_help: '{{who}} asked for help, on {{at}}.',
  the_patient: 'The patient',
  the_carer: 'The carer',
  the_staff: 'Staff',
  you_acknowledged: 'You are taking care of it, since {{at}}.',
  who_acknowledged: '{{who}} is taking care of it, since {{at}}.',
  you_promised: 'You answered on {{at}}: it will be taken on {{until}}.',
  who_promised: '{{who}} answered on {{at}}: it will be taken on {{until}}.',
  you_closed: 'You closed it on {{at}}.',
  who_closed: '{{who}} closed it on {{at}}.',
  recorded_for_patient: 'The patient ({{by}})',
  recorded_for_carer: 'The carer ({{by}})',
  recorded_by: 'recorded by {{name}}',
  recorded_by_staff: 'recorded by staff',

  // what can be answered
  ask_dose: 'What you press is recorded.',
  ask_acknowledge: 'Are you taking care of it? If you confirm, reminders stop.',
  i_took_it: 'I took it',
  it_was_taken: 'It was taken',
  taken_otherwise: 'At another time, or from elsewhere',
  taken_when: 'At what time? Leave it empty if you do not know.',
  taken_from: 'From where?',
  from_bottle: 'From this bottle',
  from_elsewhere: 'From elsewhere, such as a pillbox',
  record: 'Record it',
  i_will_take_it: 'I will take it at {{time}}',
  it_will_be_taken: 'It will be taken at {{time}}',
  i_skip: 'I am skipping it: reason …',
  it_is_skipped: 'It is skipped: reason …',
  skip_in_own_words: 'In your own words',
  pillbox_until: 'They are in a pillbox until {{time}}',
  in_pillbox: 'The pills are in a pillbox …',
  pillbox_this_dose: 'Those of this dose are in a pillbox',
  acknowledge: 'I am taking care of it',
  help: 'I need help',
  undo_help: 'I no longer need help',
  undo: 'Undo my answer',
  undo_until: 'You can undo your answer until {{time}}.',
  wrong_person: 'These messages are not for me',

  // why a dose is skipped
  skip_forgot: 'forgotten',
  skip_felt_better: 'felt better',
  skip_side_effect: 'a side effect',
  skip_ran_out: 'no pills left',
  skip_doctors_advice: 'on medical advice',
  skip_not_needed: 'not needed',
  skip_away: 'not at home',
  skip_other: 'another reason',

  // what became of it
  thank_you: 'Thank you',
  recorded: 'It is recorded. Everyone involved can see what you reported.',
  recorded_pillbox: 'It is recorded: those doses are expected from the pillbox.',
  promised: 'Reminders wait until {{time}}. Take the dose from the bottle then.',
  acknowledged: 'The alert is acknowledged. Everyone involved can see that you are taking care of it.',
  already_acknowledged: 'Somebody is already taking care of it',
  undone: 'Your answer is undone',
  undone_text: 'It no longer counts. You can answer again.',
  called:
    'The others of the plan are asked for help now. In an emergency, call the emergency services yourself.',
  already_called: 'Help is already asked for',
  undone_help: 'Your call for help is withdrawn',
  undone_help_text: 'Those who were asked learn that no help is needed.',
  answer_again: 'Answer again',
  used: 'Already answered',
  used_text:
    'This was recorded before, or is too late. Nothing was changed. If the page of the message does not let you correct it, contact support.',
  back: 'To the page of the message',
  bad_time: 'This time cannot be right',
  bad_time_text:
    'The dose was not due then, or it is still to come. Nothing was recorded. Go back and enter another time.',
  ended: 'This alert has ended',
  ended_text: 'You do not need to do anything.',
  invalid: 'Invalid link',
  invalid_text: 'Open the link exactly as it appears in the message.',
  revoked: 'This link is no longer valid',
  revoked_text: 'The contact that it was sent to was removed or has another address now.',
  expired: 'This link has expired',
  not_acknowledged: 'The alert was not acknowledged, and nothing was recorded.',
  not_confirmed: 'The address was not confirmed.',
  contact_support: 'Please contact support.',

  // the page that confirms an address
  confirm_address: 'Confirm your address',
  confirm_address_text:
    'Messages will come to the address to which this link was sent. Is it yours, and do you expect them?',
  confirm: 'Confirm',
  confirmed: 'Your address is confirmed.',

  // the page that stops messages
  stop: 'Stop messages to this address?',
  stop_text:
    'Messages about these bottles then no longer come to the address to which this link was sent. They go to the next person of the plan, and the operator sees that you stopped them.',
  stop_button: 'Stop messages',
  stopped: 'Messages are stopped',
  stopped_text: 'Nothing more is sent to this address until the operator confirms it again with you.',
  stopped_link: 'Links in earlier messages to it no longer answer anything.',

  // messages in the browser
  push: 'Messages on this device',
  push_text: 'This device can show a message like this one as soon as it is sent.',
  push_button: 'Show messages on this device',
  push_added:
    'This device shows messages from now on. To end that, turn off the notifications of this page in the browser.',
  push_denied:
    'The browser does not allow it. Allow the notifications of this page in its settings and try again.',
  push_full: 'Five of your devices show messages already. Contact support.',
  push_failed: 'It did not work. Try again later.',

  // what is answered to a digit by SMS
  sms_taken: 'You answered: taken.',
  sms_later: 'You answered: later.',
  sms_skipped: 'You answered: skipped.',
  sms_help: 'You answered: help.',
  sms_none: 'No dose is waiting for an answer. Nothing was recorded.',
  sms_several:
    'Several doses are waiting for an answer, and a digit does not say which one you mean. Nothing was recorded. Please use the link in the message about the dose.',

  // the foot
  call: 'Questions? Call {{phone}}',
  imprint: 'Imprint',
} as const;

export type TextKey = keyof typeof EN;
