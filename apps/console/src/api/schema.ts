export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Acknowledge: {
            /** @description What is being done about it. */
            note?: string;
        };
        AcknowledgeMany: {
            /** @description The alerts. */
            ids: string[];
            /** @description What is being done about it. */
            note?: string;
        };
        Action: {
            /** @enum {string} */
            action: "opened" | "closed";
            /**
             * Format: date-time
             * @description The time by the device's clock, if it was corrected.
             */
            device_time: string | null;
            /** @description The device's own id of the event. */
            event_id: string | null;
            id: string;
            /** @description Grams. Null if the bottle did not report it. */
            mass_of_contents: number | null;
            number_of_pills: number | null;
            /** @description When closed: the number of pills removed. */
            pills_taken: number | null;
            /**
             * Format: date-time
             * @description When the report was received.
             */
            received_at: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            time: string;
        };
        ActionPage: {
            items: components["schemas"]["Action"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        Actor: {
            /** @description The client's IP address. */
            address?: string;
            id: string;
            /** @enum {string} */
            kind: "staff" | "api_key" | "link" | "command" | "unknown";
            /** @description The name at that time. */
            name: string;
        };
        AddNote: {
            /** @description Staff read it; messages do not contain it. */
            text: string;
        };
        AddPeriod: {
            /**
             * Format: date-time
             * @description Default: now. It may be past.
             * @example 2026-03-01T00:00:00Z
             */
            from?: string;
            note?: string;
            /**
             * @description pause: no dose is to be taken; it requires `to`. hospital, travel: of the person. pillbox, other_container: the doses come from there. device_fault: the device is not to be believed. not_in_use: nobody uses the bottle.
             * @enum {string}
             */
            reason: "pause" | "hospital" | "travel" | "pillbox" | "device_fault" | "other_container" | "not_in_use";
            /**
             * Format: date-time
             * @description Its end, excluded. Default: nobody knows yet.
             * @example 2026-03-08T00:00:00Z
             */
            to?: string;
        };
        AddressHealth: {
            /** @description The host that refused it. */
            by?: string;
            /** @description Its reply. */
            reply?: string;
            /**
             * Format: date-time
             * @description Since when; absent of an unverified address from before this was kept.
             */
            since?: string;
            /** @enum {string} */
            state: "verified" | "unverified" | "refused" | "paused";
        };
        AddStaffBrowser: {
            /** @description The secret that it shares, base64url. */
            auth: string;
            /** @description Where its push service takes messages. */
            endpoint: string;
            /** @description Its public key, base64url. */
            p256dh: string;
        };
        Adherence: {
            /** @description Days with exactly the prescribed doses, of days with prescribed doses. */
            correct_dosing: components["schemas"]["Ratio"];
            /** @description Days on which every prescribed dose was taken, of days with prescribed doses. */
            days_covered: components["schemas"]["Ratio"];
            /** @description Doses by measured outcome. */
            doses: {
                missed: number;
                not_monitored: number;
                partial: number;
                taken_early: number;
                taken_late: number;
                taken_on_time: number;
                unknown: number;
            };
            /** @description Periods of 72 hours or more without a dose although doses were prescribed. */
            drug_holidays: components["schemas"]["DrugHolidays"];
            /** @description Removals beyond the schedule. */
            extra: number;
            /** Format: date-time */
            from: string;
            /** @description The share of days with the prescribed amount. */
            implementation: components["schemas"]["Implementation"];
            /** @description When the treatment began, also before the range. */
            initiation: components["schemas"]["Initiation"];
            /**
             * Format: date-time
             * @description When its first report of any kind was received: nothing could be seen before. Null: it has not reported yet.
             */
            monitored_since: string | null;
            /** @description Doses that were due in a period without monitoring, and the other days with one; in no denominator. */
            not_monitored: components["schemas"]["Unknown"];
            /** @description Until when the treatment lasted. */
            persistence: components["schemas"]["Persistence"];
            reported: components["schemas"]["WordedAdherence"];
            /** @description Whole doses taken, of doses prescribed. */
            taking: components["schemas"]["Ratio"];
            /** @description The time zone in which days are counted. */
            time_zone: string;
            /** @description Doses taken on time, of doses prescribed. */
            timing: components["schemas"]["Ratio"];
            /** Format: date-time */
            to: string;
            /** @description Doses and days with unknown outcome; in no denominator. */
            unknown: components["schemas"]["Unknown"];
            /** @description How many of the unknown doses fell in a coverage gap of this service. */
            unknown_in_coverage_gaps: number;
        };
        AlarmQuality: {
            /** Format: date-time */
            from: string;
            /** @description By group, then by kind. */
            rows: components["schemas"]["AlarmQualityRow"][];
            /** Format: date-time */
            to: string;
        };
        AlarmQualityRow: {
            /** @description Alerts that were acknowledged before a reminder or further step was sent. */
            acknowledged_in_time: components["schemas"]["Ratio"];
            /** @description Alerts of which a message was sent. */
            alerts: number;
            /** @description Alerts of doses that people report taken or skipped. */
            attested_otherwise: components["schemas"]["Ratio"];
            /** @description Of the bottles of the group, from their registration on. */
            bottle_days: number;
            /** @description Alerts that staff closed for a faulty device, as a duplicate, or as not relevant. */
            closed_as_false: components["schemas"]["Ratio"];
            /** @description Alerts whose outcome was corrected afterwards. */
            corrected: components["schemas"]["Ratio"];
            /** @description A medication, or a month `YYYY-MM`; null for the fleet. */
            group: string | null;
            /** @enum {string} */
            kind: "missed_dose" | "doses_missed_in_a_row" | "bottle_open" | "bottle_silent" | "extra_dose" | "low_supply" | "count_mismatch" | "shared_token" | "battery_low" | "fleet_incident" | "coverage_gap" | "dose_reminder" | "help_requested";
            /** @description Messages that were sent about them. */
            messages: number;
            /** @description Null without bottle-days. */
            messages_per_1000_bottle_days: number | null;
            /** @description Alerts that later data retracted. */
            retracted: components["schemas"]["Ratio"];
        };
        Alert: {
            /** Format: date-time */
            acknowledged_at: string | null;
            acknowledged_by: string | null;
            /** @description The name of `acknowledged_by`; null of a person without one. */
            acknowledged_by_name: string | null;
            /** @description Who takes care of it. */
            assigned_to: components["schemas"]["Assignee"] | null;
            bottle_id: string;
            /** @description Who closed it and why; stays when its condition ends later. */
            closing: components["schemas"]["Closing"] | null;
            /** @description Notifications about it that could not be delivered. */
            dead_deliveries: number;
            /**
             * Format: date-time
             * @description The deadline that passed.
             */
            deadline: string;
            /**
             * @description How it ended; null while it is open or acknowledged. A closed alert may still end otherwise.
             * @enum {string|null}
             */
            ended_as: "taken_late" | "partial" | "missed" | "unknown" | "reported_taken" | "reported_skipped" | "row_ended" | "other_person" | "lid_closed" | "opened_again" | "closing_lost" | "not_monitored" | "back_online" | "returned" | "refilled" | "enough_pills" | "count_agrees" | "other_medication" | "token_replaced" | "counts_no_longer_alternate" | "charged" | "incident_over" | "coverage_restored" | "dose_taken" | "dose_stated" | "dose_late" | "dose_not_due" | "withdrawn" | "retracted" | "closed_by_staff" | null;
            /**
             * Format: date-time
             * @description When its condition ended.
             */
            ended_at: string | null;
            id: string;
            /** @enum {string} */
            kind: "missed_dose" | "doses_missed_in_a_row" | "bottle_open" | "bottle_silent" | "extra_dose" | "low_supply" | "count_mismatch" | "shared_token" | "battery_low" | "fleet_incident" | "coverage_gap" | "dose_reminder" | "help_requested";
            medication: string;
            /** Format: date-time */
            raised_at: string;
            /**
             * Format: date-time
             * @description No notifications before this time.
             */
            snoozed_until: string | null;
            /** @enum {string} */
            state: "open" | "acknowledged" | "closed" | "resolved" | "retracted";
            /** @description For missed_dose: the dose. */
            subject: string;
            user_id: string;
        };
        AlertDetail: {
            /** Format: date-time */
            acknowledged_at: string | null;
            acknowledged_by: string | null;
            /** @description The name of `acknowledged_by`; null of a person without one. */
            acknowledged_by_name: string | null;
            /** @description Who takes care of it. */
            assigned_to: components["schemas"]["Assignee"] | null;
            bottle_id: string;
            /**
             * Format: date-time
             * @description When a flapping condition cleared; null while it lasts.
             */
            cleared_at: string | null;
            /**
             * Format: date-time
             * @description When the alert resolves if the condition stays clear.
             */
            clears_at: string | null;
            /** @description Who closed it and why; stays when its condition ends later. */
            closing: components["schemas"]["Closing"] | null;
            /** @description Notifications about it that could not be delivered. */
            dead_deliveries: number;
            /**
             * Format: date-time
             * @description The deadline that passed.
             */
            deadline: string;
            /** @description What staff decided about this fleet incident; null while its notifications wait for a decision. */
            decision: components["schemas"]["Decision"] | null;
            /** @description Its notifications, with every attempt. */
            deliveries: components["schemas"]["Delivery"][];
            /** @description Staff dismissed this fleet incident as our own fault: users are not notified of its silences. */
            dismissed: boolean;
            /**
             * @description How it ended; null while it is open or acknowledged. A closed alert may still end otherwise.
             * @enum {string|null}
             */
            ended_as: "taken_late" | "partial" | "missed" | "unknown" | "reported_taken" | "reported_skipped" | "row_ended" | "other_person" | "lid_closed" | "opened_again" | "closing_lost" | "not_monitored" | "back_online" | "returned" | "refilled" | "enough_pills" | "count_agrees" | "other_medication" | "token_replaced" | "counts_no_longer_alternate" | "charged" | "incident_over" | "coverage_restored" | "dose_taken" | "dose_stated" | "dose_late" | "dose_not_due" | "withdrawn" | "retracted" | "closed_by_staff" | null;
            /**
             * Format: date-time
             * @description When its condition ended.
             */
            ended_at: string | null;
            /** @description The inputs of the rule, and the numbers it decided by. */
            evidence: {
                [key: string]: unknown;
            };
            /** @description The condition comes and goes: `resolved` is sent after it has stayed clear. */
            flapping: boolean;
            /** @description Oldest first. */
            history: components["schemas"]["AlertEvent"][];
            id: string;
            /** @enum {string} */
            kind: "missed_dose" | "doses_missed_in_a_row" | "bottle_open" | "bottle_silent" | "extra_dose" | "low_supply" | "count_mismatch" | "shared_token" | "battery_low" | "fleet_incident" | "coverage_gap" | "dose_reminder" | "help_requested";
            /** @description By which people tell the bottle from their other ones. */
            label: string | null;
            medication: string;
            /**
             * Format: date-time
             * @description When the next escalation step is due.
             */
            next_step_at: string | null;
            /** Format: date-time */
            raised_at: string;
            /**
             * Format: date-time
             * @description No notifications before this time.
             */
            snoozed_until: string | null;
            /** @enum {string} */
            state: "open" | "acknowledged" | "closed" | "resolved" | "retracted";
            /** @description For missed_dose: the dose. */
            subject: string;
            /** @description Alerts that were not raised because of this one, and why. */
            suppressed: components["schemas"]["Suppressed"][];
            /** @description Of the patient: IANA name. Null if the alert is about no single bottle. */
            time_zone: string | null;
            user_id: string;
            /** @description Of the user, from the contact; null if there is none. */
            user_name: string | null;
        };
        AlertEvent: {
            /** Format: date-time */
            at: string;
            /** @description `notifier`, the name of a member of staff, or who followed the link of a message. */
            by: string;
            /** @description The name of `by`; null of a person without one. */
            by_name: string | null;
            /** @enum {string} */
            event: "raised" | "escalated" | "acknowledged" | "confirmed" | "dismissed" | "withdrawn" | "snoozed" | "closed_by_staff" | "cleared" | "returned" | "resolved" | "retracted" | "missed" | "assigned" | "unassigned" | "noted";
            note: string | null;
            /**
             * @description Of `closed_by_staff`.
             * @enum {string|null}
             */
            reason: "device_fault" | "duplicate" | "settled_by_phone" | "not_relevant" | "not_in_use" | "other" | null;
            /** @description Of `assigned`: the name of whom. */
            to: string | null;
        };
        AlertNote: {
            /** @description Staff read it in the history; messages do not contain it. */
            note: string;
        };
        AlertResult: {
            /** @description Who takes care of it. */
            assigned_to: components["schemas"]["Assignee"] | null;
            /**
             * Format: date-time
             * @description When they did.
             */
            at: string | null;
            bottle_id: string | null;
            /** @description Who brought it into that state; with `assigned_meanwhile`, who assigned it. */
            by: string | null;
            /** @description Why it was refused; null on success. */
            code: string | null;
            id: string;
            /** @description The current state; null if the alert does not exist. */
            state: string | null;
            /** @description The status of the same request for this alert alone: 200, 404, 409 or 503. */
            status: number;
        };
        AlertResults: {
            /** @description In the order of the request, each alert once. */
            results: components["schemas"]["AlertResult"][];
        };
        ApiKey: {
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Null: never.
             */
            expires_at: string | null;
            id: string;
            /**
             * Format: date-time
             * @description To the hour.
             */
            last_used_at: string | null;
            name: string;
            owner: components["schemas"]["KeyOwner"] | null;
            /** @enum {string} */
            role: "viewer" | "support" | "admin";
        };
        ApiKeyPage: {
            items: components["schemas"]["ApiKey"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        AsNeeded: {
            /**
             * @description How long before its time a dose may be taken. Default: 2h; at most 24h.
             * @example 2h
             */
            early_window?: string;
            /**
             * Format: date-time
             * @description Default: now, and never before.
             * @example 2030-03-01T08:00:00Z
             */
            effective_from?: string;
            /** @enum {string} */
            kind: "as_needed";
            /**
             * @description How long after its time a dose is late. Default: 1h; less than missed_after.
             * @example 1h
             */
            late_after?: string;
            /** @description Doses in any 24 hours. */
            max_per_day: number;
            /**
             * @description The shortest time between two doses: from 1m to 24h.
             * @example 4h
             */
            min_interval?: string;
            /**
             * @description How long after its time a dose is missed. Default: 4h; at most 7d.
             * @example 4h
             */
            missed_after?: string;
            /** @description Of a dose that does not say its own. Default: 1. */
            pills_per_dose?: number;
            /**
             * @description Default: the bottle's.
             * @example Europe/Berlin
             */
            time_zone?: string;
            /**
             * Format: date
             * @description The last day, in the time zone of the schedule. Default: none.
             * @example 2030-03-10
             */
            until?: string;
        };
        AsNeededCount: {
            /** @description Whole doses taken. */
            doses: number;
            /** @description Pills over the limit. */
            extra_pills: number;
            /** @description The limit of 24 hours. */
            max_pills: number;
            pills_taken: number;
            /**
             * Format: date-time
             * @description 24 hours ago.
             */
            since: string;
        };
        Assign: {
            /** @description Whom the alert was assigned to when you saw it: `me`, `nobody`, or the id in `assigned_to`. If it is assigned to somebody else by now, other than `to`, the response is 409. */
            seen_assignee?: string;
            /** @description `me`, `nobody`, or the id of an account. */
            to: string;
        };
        AssignBottle: {
            /** @description Why; staff read it. */
            note?: string;
            schedule?: components["schemas"]["Schedule"];
            /** @description Instead of `schedule`: several steps in one request, in order. One without `effective_from` begins when the one before it has ended, by its `until` or `doses`. */
            steps?: components["schemas"]["Schedule"][];
            /** @description Whose it is from now on; also the person whose it was. */
            user_id: string;
        };
        Assignee: {
            /** @description Of the account, or of the API key. */
            id: string;
            name: string;
        };
        AssignMany: {
            /** @description The alerts. */
            ids: string[];
            /** @description Whom the alert was assigned to when you saw it: `me`, `nobody`, or the id in `assigned_to`. If it is assigned to somebody else by now, other than `to`, the response is 409. */
            seen_assignee?: string;
            /** @description `me`, `nobody`, or the id of an account. */
            to: string;
        };
        Attempt: {
            /** @description The e-mail address or number that it went to; null over other channels, and of earlier versions. */
            address: string | null;
            /** Format: date-time */
            at: string;
            error: string | null;
            ok: boolean;
            /** @description The last receipt for it. */
            receipt: components["schemas"]["Receipt"] | null;
            /** @description HTTP status, if there was a response. */
            status: number | null;
        };
        Attest: {
            /**
             * @description Whose word it is. Default: staff.
             * @enum {string}
             */
            attested_by?: "user" | "carer" | "staff";
            /**
             * @description not_taken: the pills were removed for later.
             * @enum {string}
             */
            kind: "taken" | "skipped" | "not_taken";
            note?: string;
            /** @description Of `taken`; at most the dose, the default. */
            pills?: number;
            /**
             * @description Of `skipped`, which requires it.
             * @enum {string}
             */
            reason?: "forgot" | "felt_better" | "side_effect" | "ran_out" | "doctors_advice" | "not_needed" | "away" | "other";
            /**
             * Format: date-time
             * @description The dose: the instant at which it was scheduled.
             */
            scheduled_at: string;
            /**
             * @description Of `taken`.
             * @enum {string}
             */
            source?: "from_bottle" | "elsewhere";
            /**
             * Format: date-time
             * @description Of `taken`: when. Leave it out if it is not known.
             */
            taken_at?: string;
        };
        Attestation: {
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            at: string;
            /**
             * @description Whose word it is.
             * @enum {string}
             */
            attested_by: "user" | "carer" | "staff";
            id: string;
            /** @description A later entry withdraws it. */
            is_withdrawn: boolean;
            /** @enum {string} */
            kind: "taken" | "skipped" | "not_taken" | "no_dose" | "withdrawn";
            note: string | null;
            /**
             * @description By the windows of the dose. taken: without a time. partial: fewer pills than the dose has. not_taken: removed for later. null: it withdraws another entry, or is about no dose.
             * @enum {string|null}
             */
            outcome: "taken_early" | "taken_on_time" | "taken_late" | "taken" | "partial" | "skipped" | "not_taken" | null;
            pills: number | null;
            /**
             * @description Why it was skipped.
             * @enum {string|null}
             */
            reason: "forgot" | "felt_better" | "side_effect" | "ran_out" | "doctors_advice" | "not_needed" | "away" | "other" | null;
            /** @description Who recorded it: a name of the staff or of an API key, or by the link of a message its recipient (`user:USERID`). */
            recorded_by: string;
            /**
             * Format: date-time
             * @description The dose. Of `no_dose`: when the pills were removed.
             */
            scheduled_at: string;
            /** @enum {string|null} */
            source: "from_bottle" | "elsewhere" | null;
            /** Format: date-time */
            taken_at: string | null;
            /** @description Of `withdrawn`: the entry that it withdraws. */
            withdraws: string | null;
        };
        AttestationPage: {
            items: components["schemas"]["Attestation"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        AttestNoDose: {
            /**
             * @description Whose word it is. Default: staff.
             * @enum {string}
             */
            attested_by?: "user" | "carer" | "staff";
            note?: string;
            /** @description How many were no dose. Default: 1. */
            pills?: number;
            /**
             * Format: date-time
             * @description When the pills were removed.
             */
            removed_at: string;
        };
        AuditEntry: {
            /** @description Such as alert.acknowledge. */
            action: string;
            /** Format: date-time */
            at: string;
            /**
             * @description `change`: also signing in; `read`: also exports.
             * @enum {string}
             */
            category: "change" | "read" | "refusal";
            /** @description `fields`: the names of the fields that were sent; and harmless values. */
            details?: {
                [key: string]: unknown;
            };
            id: string;
            subject: components["schemas"]["Subject"];
            who: components["schemas"]["Actor"];
        };
        AuditEntryPage: {
            items: components["schemas"]["AuditEntry"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        AuditHead: {
            /** @description Its place and hash, `8412:Zk3...`; null if there is none. */
            head: string | null;
        };
        BadClock: {
            /** Format: date-time */
            at: string;
            /** @description The device's clock minus ours. */
            offset_ms: number;
        };
        BeginSecondFactor: {
            /** @description If you have a second factor: Six digits of the authenticator app, or a recovery code. */
            code?: string;
            /** @description Your password. */
            password: string;
        };
        Bottle: {
            /** @description The clock offset when it was last corrected. */
            bad_clock: components["schemas"]["BadClock"] | null;
            bottle_id: string;
            /** @description Versions that take effect later. */
            coming_schedules: components["schemas"]["ScheduleVersion"][];
            /** @description Whole days until the pills, with those of the further bottles of its plan, do not suffice for a dose that is not taken yet; null if there is no schedule or for more than a year. */
            days_left: number | null;
            device: components["schemas"]["Device"];
            /** @description Doses of the schedule version in effect that are still to be due; null if it has no number of doses. */
            doses_left: number | null;
            /** @description The content at registration. */
            initial_pills: number | null;
            /** @description By which people tell it from their other bottles. */
            label: string | null;
            last_action: components["schemas"]["LastAction"] | null;
            /** @description The last three doses with an outcome that are not in `today`, newest first. */
            last_doses: components["schemas"]["Dose"][];
            /** Format: date-time */
            last_heard_at: string | null;
            /** @description Null while it is being registered or erased. */
            life: components["schemas"]["BottleLife"] | null;
            medication: string;
            /**
             * Format: date-time
             * @description When its first report of any kind was received: nothing could be seen before. Null: it has not reported yet.
             */
            monitored_since: string | null;
            /** @description The next dose after now that is not taken yet. */
            next_dose: components["schemas"]["NextDose"] | null;
            open_alerts: components["schemas"]["Alert"][];
            /** @description Current and future pauses. */
            pauses: components["schemas"]["PauseView"][];
            /** @description Current and future periods without monitoring, pauses included; the one that begins last first. */
            periods: components["schemas"]["UnmonitoredPeriod"][];
            pills_left: number | null;
            /** @description The further bottles that are for its plan. */
            plan_members: components["schemas"]["PlanMember"][];
            /** @description The bottle whose plan it is for: that one has the doses. Null: it has a plan of its own, or none. */
            plan_of: string | null;
            /** @description The step before the one in effect: it applies again if that is removed. */
            previous_schedule: components["schemas"]["ScheduleVersion"] | null;
            /** @description Everything that applies; the first determines the status. */
            reasons: components["schemas"]["StatusReason"][];
            /** Format: date-time */
            registered_at: string;
            /** @description What was wrong with its reports of the last 7 days, the newest first; at most 30. */
            report_problems: components["schemas"]["ReportProblem"][];
            /** @description The schedule version in effect. */
            schedule: components["schemas"]["ScheduleVersion"] | null;
            /** @description A check failed on this bottle and quarantined it. */
            set_aside: components["schemas"]["Quarantine"] | null;
            /**
             * @description For lists, of device and doses: the first that applies, in this order. ok says nothing of past doses.
             * @enum {string}
             */
            status: "unknown" | "silent" | "late" | "open" | "ok";
            time_zone: string;
            today: components["schemas"]["Today"];
            user_id: string;
            vitals: components["schemas"]["Vitals"] | null;
        };
        BottleFigures: {
            bottle_id: string;
            /** @description Days on which every prescribed dose was taken, of days with prescribed doses. */
            days_covered: components["schemas"]["Ratio"];
            /** @description Periods of 72 hours or more without a dose although doses were prescribed. */
            drug_holidays: components["schemas"]["DrugHolidays"];
            /** @description The share of days with the prescribed amount. */
            implementation: components["schemas"]["Implementation"];
            /** @description When the treatment began, also before the range. */
            initiation: components["schemas"]["Initiation"];
            medication: string;
            /** @description Until when the treatment lasted. */
            persistence: components["schemas"]["Persistence"];
            reported: components["schemas"]["Taxonomy"];
            /** @description The time zone in which days are counted. */
            time_zone: string;
            user_id: string;
        };
        BottleFiguresPage: {
            items: components["schemas"]["BottleFigures"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        BottleLife: {
            /** @description Who changed it. */
            by: string | null;
            note: string | null;
            /**
             * @description Of a retired bottle.
             * @enum {string|null}
             */
            reason: "returned" | "lost" | "broken" | "owner_died" | null;
            /**
             * Format: date-time
             * @description When it was registered, if it has been in use since.
             */
            since: string;
            /**
             * @description A bottle that is stored or retired has no doses, and alarms nobody.
             * @enum {string}
             */
            state: "in_use" | "stored" | "retired";
        };
        BottleOfFigures: {
            bottle_id: string;
        };
        BottlePlan: {
            bottle_id: string;
            /** @description By which people tell it from their other bottles. */
            label: string | null;
            medication: string;
            /** @description The pills that are left. */
            number_of_pills: number | null;
            /** @description The bottle whose plan it is for; it then has no steps. */
            plan_of: string | null;
            /** @description The step in effect, unless its course is over, with the doses that are left of it, and those that take effect later. */
            steps: components["schemas"]["Schedule"][];
            /** @description The patient's time zone. */
            time_zone: string;
            user_id: string;
        };
        BottlePlanPage: {
            items: components["schemas"]["BottlePlan"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        Carer: {
            /**
             * Format: email
             * @description Notify by e-mail, once the address is verified.
             * @example will@example.org
             */
            email?: string;
            /** @description How the e-mail address fares; absent without one. Of no effect in a request. */
            email_health?: components["schemas"]["AddressHealth"];
            /** @description true: staff know that the address is theirs, for example by phone. false: they are asked by e-mail, again if they were. Default: as before; a new address is asked. At most five mails an hour for each contact: others wait. */
            email_verified?: boolean;
            /**
             * Format: date-time
             * @description When the address was verified. Of no effect in a request.
             */
            email_verified_at?: string;
            /**
             * @description The groups of the carer, which steps name as `group:family`; at most 5.
             * @example [
             *       "family"
             *     ]
             */
            groups?: string[];
            /**
             * @description By which steps name the carer; it stays the same. Default: `carer` for the first, `carer-2` for the second, and so on. Only the first can have the id `carer`.
             * @example anna
             */
            id?: string;
            /**
             * @description Of messages, default: English; and of the pages behind their links, default: the language of the browser.
             * @enum {string}
             */
            language?: "en" | "de";
            /**
             * @description Who gets messages for this person instead: `user`, the id of a carer, or `operator`. The next in the plan, at last the operator. Absent if nobody does. Of no effect in a request.
             * @example carer
             */
            messages_go_to?: string;
            /** @description For staff, webhooks, and the pages behind links; mails and SMS do not contain it. */
            name?: string;
            /**
             * @description For staff: nothing is sent there.
             * @example +49 30 123456
             */
            phone?: string;
            /** @description true: browsers of theirs show messages, which they added on the page of a message. false in a request removes them; otherwise they stay while the address is theirs to which that message went. */
            push?: boolean;
            /** @description How their browsers fare; absent without one. Of no effect in a request. */
            push_health?: components["schemas"]["AddressHealth"];
            /** @description `from` and `to` in the recipient's time zone. Messages wait for their end (MSG-6). */
            quiet_hours?: components["schemas"]["QuietHours"];
            /** @description Whether messages reach this person at the moment. Of no effect in a request. */
            reachable?: boolean;
            /**
             * @description To the user: for staff.
             * @example daughter
             */
            relation?: string;
            /**
             * @description Notify by SMS, once the number is verified: with its country code, as +4915112345678.
             * @example +4915112345678
             */
            sms?: string;
            /** @description How the number for SMS fares; absent without one. Of no effect in a request. */
            sms_health?: components["schemas"]["AddressHealth"];
            /** @description true: staff know that the number is theirs. false: they are asked by SMS, again if they were. As with e-mail. */
            sms_verified?: boolean;
            /**
             * Format: date-time
             * @description When the number was verified. Of no effect in a request.
             */
            sms_verified_at?: string;
            /**
             * @description IANA name: of the quiet hours and of the times in messages. Default: UTC; for a carer, the user's time zone.
             * @example Europe/Berlin
             */
            time_zone?: string;
            /**
             * @description Why not. no_address: no e-mail address, number or webhook. email_unverified, sms_unverified: the address is not verified. sms_not_set_up: a notifier has no SMS_URL. email_not_set_up: a notifier has no SMTP_URL. email_refused, sms_refused, webhook_refused: the address refused the last message for good. sms_paused: the person replied STOP. webhook_not_taken: every endpoint is paused or disabled, or wants no alerts. push_not_set_up: a notifier has no PUSH_KEY. push_refused: no browser of theirs takes messages any more. no_notifier: none is running. Of no effect in a request.
             * @enum {string}
             */
            unreachable_reason?: "no_address" | "email_unverified" | "email_not_set_up" | "email_refused" | "sms_unverified" | "sms_not_set_up" | "sms_refused" | "sms_paused" | "push_not_set_up" | "push_refused" | "webhook_refused" | "webhook_not_taken" | "no_notifier";
            /** @description Notify through the operator's webhook. */
            webhook?: boolean;
            /** @description Present if the webhook answered 410 to the last message. Of no effect in a request. */
            webhook_health?: components["schemas"]["AddressHealth"];
        };
        ChangeBottle: {
            /**
             * @description With `time_zone`: whether its schedules change to the new zone as soon as no dose falls due within half its gap of the one before and none is skipped, or keep the old zone. Default: `from_next_dose`.
             * @enum {string}
             */
            dose_times?: "from_next_dose" | "keep_home_time";
            /** @description As at the registration; empty to remove it. */
            label?: string;
            medication?: string;
            /** @description The bottle whose plan it is for from now on, of the same user and medication; its own plan ends. Null: it is for no other bottle’s plan any more. */
            plan_of?: string | null;
            /**
             * @description Applies to schedules that follow the bottle's time zone, from the next dose on that fits.
             * @example Europe/Berlin
             */
            time_zone?: string;
            user_id?: string;
        };
        ChangedBottle: {
            /** @description The clock offset when it was last corrected. */
            bad_clock: components["schemas"]["BadClock"] | null;
            bottle_id: string;
            /** @description Versions that take effect later. */
            coming_schedules: components["schemas"]["ScheduleVersion"][];
            /** @description Whole days until the pills, with those of the further bottles of its plan, do not suffice for a dose that is not taken yet; null if there is no schedule or for more than a year. */
            days_left: number | null;
            device: components["schemas"]["Device"];
            /** @description Doses of the schedule version in effect that are still to be due; null if it has no number of doses. */
            doses_left: number | null;
            /** @description The content at registration. */
            initial_pills: number | null;
            /** @description By which people tell it from their other bottles. */
            label: string | null;
            last_action: components["schemas"]["LastAction"] | null;
            /** @description The last three doses with an outcome that are not in `today`, newest first. */
            last_doses: components["schemas"]["Dose"][];
            /** Format: date-time */
            last_heard_at: string | null;
            /** @description Null while it is being registered or erased. */
            life: components["schemas"]["BottleLife"] | null;
            medication: string;
            /**
             * Format: date-time
             * @description When its first report of any kind was received: nothing could be seen before. Null: it has not reported yet.
             */
            monitored_since: string | null;
            /** @description After a move to another time zone: the doses of the next 7 days before and after it, at most 10. */
            moved_doses: components["schemas"]["MovedDose"][];
            /** @description The next dose after now that is not taken yet. */
            next_dose: components["schemas"]["NextDose"] | null;
            open_alerts: components["schemas"]["Alert"][];
            /** @description Current and future pauses. */
            pauses: components["schemas"]["PauseView"][];
            /** @description Current and future periods without monitoring, pauses included; the one that begins last first. */
            periods: components["schemas"]["UnmonitoredPeriod"][];
            pills_left: number | null;
            /** @description The further bottles that are for its plan. */
            plan_members: components["schemas"]["PlanMember"][];
            /** @description The bottle whose plan it is for: that one has the doses. Null: it has a plan of its own, or none. */
            plan_of: string | null;
            /** @description The step before the one in effect: it applies again if that is removed. */
            previous_schedule: components["schemas"]["ScheduleVersion"] | null;
            /** @description Everything that applies; the first determines the status. */
            reasons: components["schemas"]["StatusReason"][];
            /** Format: date-time */
            registered_at: string;
            /** @description What was wrong with its reports of the last 7 days, the newest first; at most 30. */
            report_problems: components["schemas"]["ReportProblem"][];
            /** @description The schedule version in effect. */
            schedule: components["schemas"]["ScheduleVersion"] | null;
            /** @description A check failed on this bottle and quarantined it. */
            set_aside: components["schemas"]["Quarantine"] | null;
            /**
             * @description For lists, of device and doses: the first that applies, in this order. ok says nothing of past doses.
             * @enum {string}
             */
            status: "unknown" | "silent" | "late" | "open" | "ok";
            time_zone: string;
            today: components["schemas"]["Today"];
            user_id: string;
            vitals: components["schemas"]["Vitals"] | null;
        };
        ChangePassword: {
            /** @description The current password. */
            current: string;
            /**
             * @description At least 12 characters. Ends your other sessions.
             * @example seven quiet lanterns 42
             */
            next: string;
        };
        ChangePeriod: {
            /** Format: date-time */
            from?: string;
            note?: string | null;
            /**
             * @description pause: no dose is to be taken; it requires `to`. hospital, travel: of the person. pillbox, other_container: the doses come from there. device_fault: the device is not to be believed. not_in_use: nobody uses the bottle.
             * @enum {string}
             */
            reason?: "pause" | "hospital" | "travel" | "pillbox" | "device_fault" | "other_container" | "not_in_use";
            /**
             * Format: date-time
             * @description Null: nobody knows yet.
             */
            to?: string | null;
        };
        ChangeStaff: {
            /** @description Signs the person out everywhere and refuses to sign them in. */
            disabled?: boolean;
            /**
             * @description Recorded with the person's actions.
             * @example Carol Smith
             */
            name?: string;
            /**
             * @description Signs the person out everywhere and ends a lock-out.
             * @example seven quiet lanterns 42
             */
            password?: string;
            /** @enum {string} */
            role?: "viewer" | "support" | "admin";
        };
        ChangeWebhookEndpoint: {
            /** @description Empty: none. */
            description?: string;
            /** @description The types that are sent there; empty: all. An end that goes to those who were sent the start needs `alert.raised`. */
            events?: ("alert.raised" | "alert.escalated" | "alert.missed" | "alert.partial" | "alert.corrected" | "alert.summary" | "alert.unconfirmed" | "alert.unknown" | "alert.resolved" | "alert.reported_taken" | "alert.reported_skipped" | "alert.statement_withdrawn" | "alert.monitored_again" | "alert.not_taken_yet" | "alert.closed_by_staff" | "alert.retracted" | "addresses.refused" | "endpoint.failing" | "endpoint.disabled")[];
            /** @description The kinds of alerts that are sent there; empty: all. */
            kinds?: ("missed_dose" | "doses_missed_in_a_row" | "bottle_open" | "bottle_silent" | "extra_dose" | "low_supply" | "count_mismatch" | "shared_token" | "battery_low" | "fleet_incident" | "coverage_gap" | "dose_reminder" | "help_requested")[];
            /** @description While it is paused, what is owed to it waits. */
            paused?: boolean;
            url?: string;
        };
        ChannelHealth: {
            channel: string;
            /**
             * Format: date-time
             * @description Since when the longest due notification is due; null if none is.
             */
            due_since: string | null;
            /** @description Notifications that failed for good, of those created in the last 24 hours. */
            failed: number;
            /**
             * Format: date-time
             * @description Of the newest notifications, when the last one was delivered.
             */
            last_delivered_at: string | null;
            /** @description Whether every notifier that runs can send over it, by its settings; null if none runs. */
            set_up: boolean | null;
        };
        ChannelSetUp: {
            /** @enum {string} */
            channel: "email" | "sms" | "push";
            /** @description Whether all notifiers send over it; null if none runs. */
            set_up: boolean | null;
        };
        Chart: {
            /** @description First the start of every step in epoch seconds, without gaps; then one column per series. null: no data. */
            columns: (number | null)[][];
            /**
             * Format: date-time
             * @description The start of the first point that may still grow: it is not over, or not everything of it is counted yet. Or `to`.
             */
            complete_until: string;
            /**
             * Format: date-time
             * @description The start of the first step.
             */
            from: string;
            series: components["schemas"]["Series"][];
            /** @description The length of a point. */
            step: string;
            /** @description The length of a point in seconds. A day counts as 24 hours. */
            step_seconds: number;
            /** @description The time zone of the days; UTC where only UTC days are stored. */
            time_zone: string;
            /**
             * Format: date-time
             * @description The end of the last step.
             */
            to: string;
        };
        CheckedImport: {
            /** @description How many bottles the file has. */
            bottles: number;
            /** @description Why doses of a schedule cannot be judged well, by line. */
            warnings: components["schemas"]["LineWarning"][];
        };
        Close: {
            /** @description Required with the reason `other`, and then part of the message to people. With another reason only staff see it. */
            note?: string;
            /** @description Whether everyone who was notified of the alert is notified of the closing. Default: true, because they were notified of a problem and wait for the end of it. */
            notify?: boolean;
            /** @enum {string} */
            reason: "device_fault" | "duplicate" | "settled_by_phone" | "not_relevant" | "other";
            /**
             * @description The state in which you saw the alert. If it is another by now, the response is 409.
             * @enum {string}
             */
            seen_state?: "open" | "acknowledged";
        };
        CloseMany: {
            /** @description The alerts. */
            ids: string[];
            /** @description Required with the reason `other`, and then part of the message to people. With another reason only staff see it. */
            note?: string;
            /** @description Whether everyone who was notified of the alert is notified of the closing. Default: true, because they were notified of a problem and wait for the end of it. */
            notify?: boolean;
            /** @enum {string} */
            reason: "device_fault" | "duplicate" | "settled_by_phone" | "not_relevant" | "other";
            /**
             * @description The state in which you saw the alert. If it is another by now, the response is 409.
             * @enum {string}
             */
            seen_state?: "open" | "acknowledged";
        };
        Closing: {
            /** Format: date-time */
            at: string;
            /** @description The staff member or API key. */
            by: string;
            note: string | null;
            /** @description Whether the people who were notified of the alert were to be notified of the closing. */
            notified: boolean;
            /** @enum {string} */
            reason: "device_fault" | "duplicate" | "settled_by_phone" | "not_relevant" | "not_in_use" | "other";
        };
        ClosingMessage: {
            /** @description The e-mail address or number; null for a webhook and for browsers. */
            address: string | null;
            alert_id: string;
            channel: string;
            /**
             * Format: date-time
             * @description Quiet hours delay it until then.
             */
            not_before: string | null;
            /** @description `operator`, `user:USERID`, `carer:USERID` of the first carer, or `carer.ID:USERID`. */
            recipient: string;
            /** @description The text of the e-mail or SMS, what a browser shows, or the JSON that the webhook gets; links without their token. */
            text: string;
            /** @description The subject of the e-mail. */
            title: string;
        };
        ClosingPreview: {
            /** @description Messages of one recipient and e-mail address may be sent as one. */
            messages: components["schemas"]["ClosingMessage"][];
        };
        Colleague: {
            id: string;
            name: string;
        };
        ColleaguePage: {
            items: components["schemas"]["Colleague"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        Compared: {
            /** @description The most of the weeks before. */
            high: number;
            /** @description The series in that chart. */
            key: string;
            label: string;
            /** @description The least of the weeks before. */
            low: number;
            /** @description Null: nobody was there to count. */
            now: number | null;
            /**
             * @description The chart that it is of.
             * @enum {string}
             */
            series: "reports" | "alerts" | "deliveries";
            /**
             * @description On which side it is unusual: outside of all weeks before, by more than three times the root and by more than a quarter of the median.
             * @enum {string|null}
             */
            unusual: "low" | "high" | null;
            /** @description The median of the weeks before. */
            usual: number;
        };
        ConfirmSecondFactor: {
            /** @description The code that the app shows now. */
            code: string;
        };
        Contact: {
            /**
             * @deprecated
             * @description The carer with the id `carer`. Use `carers`. A request with `carer` alone leaves the other carers as they are; with both, they must agree.
             */
            carer?: components["schemas"]["ContactDetails"];
            /** @description The carers, at most 10, in the order in which a group is notified in turn. */
            carers?: components["schemas"]["Carer"][];
            /**
             * Format: email
             * @description Notify by e-mail, once the address is verified.
             * @example will@example.org
             */
            email?: string;
            /** @description How the e-mail address fares; absent without one. Of no effect in a request. */
            email_health?: components["schemas"]["AddressHealth"];
            /** @description true: staff know that the address is theirs, for example by phone. false: they are asked by e-mail, again if they were. Default: as before; a new address is asked. At most five mails an hour for each contact: others wait. */
            email_verified?: boolean;
            /**
             * Format: date-time
             * @description When the address was verified. Of no effect in a request.
             */
            email_verified_at?: string;
            /** @description The steps, at most 20. Default: the user, at once. */
            escalation?: components["schemas"]["EscalationStep"][];
            /** @description They fill a pillbox every week: when pills are removed that suffice for later doses, it is asked whether they are in it. */
            fills_pillbox?: boolean;
            /**
             * @description Of messages, default: English; and of the pages behind their links, default: the language of the browser.
             * @enum {string}
             */
            language?: "en" | "de";
            /**
             * @description Who gets messages for this person instead: `user`, the id of a carer, or `operator`. The next in the plan, at last the operator. Absent if nobody does. Of no effect in a request.
             * @example carer
             */
            messages_go_to?: string;
            /** @description For staff, webhooks, and the pages behind links; mails and SMS do not contain it. */
            name?: string;
            /**
             * @description For staff: nothing is sent there.
             * @example +49 30 123456
             */
            phone?: string;
            /** @description true: browsers of theirs show messages, which they added on the page of a message. false in a request removes them; otherwise they stay while the address is theirs to which that message went. */
            push?: boolean;
            /** @description How their browsers fare; absent without one. Of no effect in a request. */
            push_health?: components["schemas"]["AddressHealth"];
            /** @description `from` and `to` in the recipient's time zone. Messages wait for their end (MSG-6). */
            quiet_hours?: components["schemas"]["QuietHours"];
            /** @description Whether messages reach this person at the moment. Of no effect in a request. */
            reachable?: boolean;
            /**
             * @description Notify by SMS, once the number is verified: with its country code, as +4915112345678.
             * @example +4915112345678
             */
            sms?: string;
            /** @description How the number for SMS fares; absent without one. Of no effect in a request. */
            sms_health?: components["schemas"]["AddressHealth"];
            /** @description true: staff know that the number is theirs. false: they are asked by SMS, again if they were. As with e-mail. */
            sms_verified?: boolean;
            /**
             * Format: date-time
             * @description When the number was verified. Of no effect in a request.
             */
            sms_verified_at?: string;
            /**
             * @description IANA name: of the quiet hours and of the times in messages. Default: UTC; for a carer, the user's time zone.
             * @example Europe/Berlin
             */
            time_zone?: string;
            /**
             * @description Why not. no_address: no e-mail address, number or webhook. email_unverified, sms_unverified: the address is not verified. sms_not_set_up: a notifier has no SMS_URL. email_not_set_up: a notifier has no SMTP_URL. email_refused, sms_refused, webhook_refused: the address refused the last message for good. sms_paused: the person replied STOP. webhook_not_taken: every endpoint is paused or disabled, or wants no alerts. push_not_set_up: a notifier has no PUSH_KEY. push_refused: no browser of theirs takes messages any more. no_notifier: none is running. Of no effect in a request.
             * @enum {string}
             */
            unreachable_reason?: "no_address" | "email_unverified" | "email_not_set_up" | "email_refused" | "sms_unverified" | "sms_not_set_up" | "sms_refused" | "sms_paused" | "push_not_set_up" | "push_refused" | "webhook_refused" | "webhook_not_taken" | "no_notifier";
            /** @description no_bottles: no bottle has this user_id. Of no effect in a request. */
            warnings?: components["schemas"]["ContactWarning"][];
            /** @description Notify through the operator's webhook. */
            webhook?: boolean;
            /** @description Present if the webhook answered 410 to the last message. Of no effect in a request. */
            webhook_health?: components["schemas"]["AddressHealth"];
        };
        ContactDetails: {
            /**
             * Format: email
             * @description Notify by e-mail, once the address is verified.
             * @example will@example.org
             */
            email?: string;
            /** @description How the e-mail address fares; absent without one. Of no effect in a request. */
            email_health?: components["schemas"]["AddressHealth"];
            /** @description true: staff know that the address is theirs, for example by phone. false: they are asked by e-mail, again if they were. Default: as before; a new address is asked. At most five mails an hour for each contact: others wait. */
            email_verified?: boolean;
            /**
             * Format: date-time
             * @description When the address was verified. Of no effect in a request.
             */
            email_verified_at?: string;
            /**
             * @description Of messages, default: English; and of the pages behind their links, default: the language of the browser.
             * @enum {string}
             */
            language?: "en" | "de";
            /**
             * @description Who gets messages for this person instead: `user`, the id of a carer, or `operator`. The next in the plan, at last the operator. Absent if nobody does. Of no effect in a request.
             * @example carer
             */
            messages_go_to?: string;
            /** @description For staff, webhooks, and the pages behind links; mails and SMS do not contain it. */
            name?: string;
            /**
             * @description For staff: nothing is sent there.
             * @example +49 30 123456
             */
            phone?: string;
            /** @description true: browsers of theirs show messages, which they added on the page of a message. false in a request removes them; otherwise they stay while the address is theirs to which that message went. */
            push?: boolean;
            /** @description How their browsers fare; absent without one. Of no effect in a request. */
            push_health?: components["schemas"]["AddressHealth"];
            /** @description `from` and `to` in the recipient's time zone. Messages wait for their end (MSG-6). */
            quiet_hours?: components["schemas"]["QuietHours"];
            /** @description Whether messages reach this person at the moment. Of no effect in a request. */
            reachable?: boolean;
            /**
             * @description Notify by SMS, once the number is verified: with its country code, as +4915112345678.
             * @example +4915112345678
             */
            sms?: string;
            /** @description How the number for SMS fares; absent without one. Of no effect in a request. */
            sms_health?: components["schemas"]["AddressHealth"];
            /** @description true: staff know that the number is theirs. false: they are asked by SMS, again if they were. As with e-mail. */
            sms_verified?: boolean;
            /**
             * Format: date-time
             * @description When the number was verified. Of no effect in a request.
             */
            sms_verified_at?: string;
            /**
             * @description IANA name: of the quiet hours and of the times in messages. Default: UTC; for a carer, the user's time zone.
             * @example Europe/Berlin
             */
            time_zone?: string;
            /**
             * @description Why not. no_address: no e-mail address, number or webhook. email_unverified, sms_unverified: the address is not verified. sms_not_set_up: a notifier has no SMS_URL. email_not_set_up: a notifier has no SMTP_URL. email_refused, sms_refused, webhook_refused: the address refused the last message for good. sms_paused: the person replied STOP. webhook_not_taken: every endpoint is paused or disabled, or wants no alerts. push_not_set_up: a notifier has no PUSH_KEY. push_refused: no browser of theirs takes messages any more. no_notifier: none is running. Of no effect in a request.
             * @enum {string}
             */
            unreachable_reason?: "no_address" | "email_unverified" | "email_not_set_up" | "email_refused" | "sms_unverified" | "sms_not_set_up" | "sms_refused" | "sms_paused" | "push_not_set_up" | "push_refused" | "webhook_refused" | "webhook_not_taken" | "no_notifier";
            /** @description Notify through the operator's webhook. */
            webhook?: boolean;
            /** @description Present if the webhook answered 410 to the last message. Of no effect in a request. */
            webhook_health?: components["schemas"]["AddressHealth"];
        };
        ContactWarning: {
            /** @enum {string} */
            code: "no_bottles";
            /** @description A sentence for people. */
            text: string;
        };
        CoverageGap: {
            /** @description Doses of the fleet that were due in it; null while it lasts. */
            doses: number | null;
            /** Format: date-time */
            from: string;
            /**
             * @description device-api: no reports were accepted. notifier: no checks ran.
             * @enum {string}
             */
            part: "device-api" | "notifier";
            /**
             * Format: date-time
             * @description null while it lasts.
             */
            until: string | null;
        };
        CoverageGaps: {
            items: components["schemas"]["CoverageGap"][];
        };
        CreateApiKey: {
            /**
             * Format: date-time
             * @description Default: in a year. At most two years from now.
             */
            expires_at?: string;
            /**
             * @description Who uses the key. Recorded with the actions of the key.
             * @example night shift
             */
            name: string;
            /** @description The account that answers for the key; the key ends with it and may not do more. Default: the account of the caller. */
            owner_id?: string;
            /** @enum {string} */
            role: "viewer" | "support" | "admin";
        };
        CreatedApiKey: {
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Null: never.
             */
            expires_at: string | null;
            id: string;
            /** @description The key. It is shown only once. */
            key: string;
            /**
             * Format: date-time
             * @description To the hour.
             */
            last_used_at: string | null;
            name: string;
            owner: components["schemas"]["KeyOwner"] | null;
            /** @enum {string} */
            role: "viewer" | "support" | "admin";
        };
        CreatedStaff: {
            /** Format: date-time */
            created_at: string;
            disabled: boolean;
            email: string;
            id: string;
            /** @description Someone else has chosen the password; the next sign-in asks for another. */
            must_change_password: boolean;
            name: string;
            /** @description The generated password. It is shown only once. */
            password?: string;
            /** @enum {string} */
            role: "viewer" | "support" | "admin";
            /** @description The person uses a second factor. */
            second_factor: boolean;
        };
        CreatedWebhookEndpoint: {
            /** @description As `channel` of its deliveries. */
            channel: string;
            /** Format: date-time */
            created_at: string | null;
            description: string | null;
            /** Format: date-time */
            disabled_at: string | null;
            /**
             * Format: date-time
             * @description When it will be disabled, if nothing arrives until then.
             */
            disabled_from: string | null;
            /** @description The types that are sent there; empty: all. An end that goes to those who were sent the start needs `alert.raised`. */
            events: ("alert.raised" | "alert.escalated" | "alert.missed" | "alert.partial" | "alert.corrected" | "alert.summary" | "alert.unconfirmed" | "alert.unknown" | "alert.resolved" | "alert.reported_taken" | "alert.reported_skipped" | "alert.statement_withdrawn" | "alert.monitored_again" | "alert.not_taken_yet" | "alert.closed_by_staff" | "alert.retracted" | "addresses.refused" | "endpoint.failing" | "endpoint.disabled")[];
            /** @description Notifications that failed for good, of those created in the last 24 hours. */
            failed: number;
            /**
             * Format: date-time
             * @description When an attempt failed after which none has succeeded.
             */
            failing_since: string | null;
            /** @description Only zeros: the endpoint that WEBHOOK_URL names. */
            id: string;
            /** @description The kinds of alerts that are sent there; empty: all. */
            kinds: ("missed_dose" | "doses_missed_in_a_row" | "bottle_open" | "bottle_silent" | "extra_dose" | "low_supply" | "count_mismatch" | "shared_token" | "battery_low" | "fleet_incident" | "coverage_gap" | "dose_reminder" | "help_requested")[];
            /**
             * Format: date-time
             * @description Of the newest notifications, when the last one was delivered.
             */
            last_delivered_at: string | null;
            /**
             * Format: date-time
             * @description Until then the secret before signs, too.
             */
            old_secret_until: string | null;
            /** Format: date-time */
            paused_at: string | null;
            /** @description Signs what is sent there. It is shown only once. */
            secret: string;
            /**
             * @description failing: the last attempt failed, and none has succeeded since. paused: by staff. disabled: it failed for 5 days, or answered 410. What is owed to a paused or disabled one waits.
             * @enum {string}
             */
            state: "active" | "failing" | "paused" | "disabled";
            /** @description The last test message. */
            test: components["schemas"]["EndpointTest"] | null;
            /** @description null: the setting WEBHOOK_URL, which only its operator reads. */
            url: string | null;
            /** @description Notifications that wait to be sent there. */
            waiting: number;
        };
        CreateStaff: {
            /** Format: email */
            email: string;
            /**
             * @description Recorded with the person's actions. Default: the e-mail address.
             * @example Carol Smith
             */
            name?: string;
            /**
             * @description Default: a generated password, returned once.
             * @example seven quiet lanterns 42
             */
            password?: string;
            /** @enum {string} */
            role: "viewer" | "support" | "admin";
        };
        CreateWebhookEndpoint: {
            /**
             * @description For staff.
             * @example Care platform
             */
            description?: string;
            /** @description The types that are sent there; empty: all. An end that goes to those who were sent the start needs `alert.raised`. */
            events?: ("alert.raised" | "alert.escalated" | "alert.missed" | "alert.partial" | "alert.corrected" | "alert.summary" | "alert.unconfirmed" | "alert.unknown" | "alert.resolved" | "alert.reported_taken" | "alert.reported_skipped" | "alert.statement_withdrawn" | "alert.monitored_again" | "alert.not_taken_yet" | "alert.closed_by_staff" | "alert.retracted" | "addresses.refused" | "endpoint.failing" | "endpoint.disabled")[];
            /** @description The kinds of alerts that are sent there; empty: all. */
            kinds?: ("missed_dose" | "doses_missed_in_a_row" | "bottle_open" | "bottle_silent" | "extra_dose" | "low_supply" | "count_mismatch" | "shared_token" | "battery_low" | "fleet_incident" | "coverage_gap" | "dose_reminder" | "help_requested")[];
            /** @example https://care.example.org/pillwatch */
            url: string;
        };
        Cycle: {
            /**
             * Format: date
             * @description The first day on.
             * @example 2026-03-01
             */
            anchor: string;
            /** @example 7 */
            days_off: number;
            /** @example 21 */
            days_on: number;
        };
        DayFigure: {
            /** @description Pills of the doses that are due. */
            expected: number;
            /** @description 1: removed is at least expected. Null if the day is left out. */
            implemented: number | null;
            /**
             * @description Why it is in no figure. not_judged: a dose has no outcome yet. excused: every dose was skipped on medical advice.
             * @enum {string|null}
             */
            left_out: "not_monitored" | "unknown" | "not_judged" | "excused" | null;
            /** @description Pills. */
            removed: number;
        };
        Decide: {
            /** @description The reason for the decision. */
            note?: string;
        };
        Decision: {
            /** Format: date-time */
            at: string;
            by: string;
            /** @enum {string} */
            outcome: "confirmed" | "dismissed";
            /**
             * Format: date-time
             * @description From then on the notifications of a confirmed incident are sent.
             */
            takes_effect_at: string;
        };
        Delivery: {
            alert_id: string;
            /** @description All attempts, oldest first, including those before a replay. */
            attempts: components["schemas"]["Attempt"][];
            bottle_id: string;
            channel: string;
            /** Format: date-time */
            created_at: string;
            /**
             * @description What happened to the alert.
             * @enum {string}
             */
            event: "raised" | "escalated" | "missed" | "partial" | "corrected" | "summary" | "unconfirmed" | "unknown" | "resolved" | "reported_taken" | "reported_skipped" | "statement_withdrawn" | "monitored_again" | "not_taken_yet" | "closed_by_staff" | "retracted";
            /** @description Sent with the notification, so that a receiver can drop a repeat. */
            id: string;
            kind: string;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** @description Why it was cancelled, is dead, or was last delayed. */
            reason: string | null;
            recipient: string;
            /** @description Of a person, as the contact names them; null if it does not, and of another carer than that of today. */
            recipient_name: string | null;
            /** @enum {string} */
            status: "pending" | "delivered" | "dead" | "cancelled";
            step: string;
        };
        Device: {
            /** Format: date-time */
            since: string | null;
            /**
             * @description The first that applies, in this order.
             * @enum {string}
             */
            status: "unknown" | "silent" | "open" | "ok";
            /** @description A sentence for people. */
            text: string;
        };
        Dose: {
            /** @description Other statements that stand, latest first. */
            earlier_reports: components["schemas"]["Statement"][];
            /** Format: date-time */
            judged_at: string;
            /** @enum {string} */
            outcome: "taken_early" | "taken_on_time" | "taken_late" | "partial" | "missed" | "unknown" | "not_monitored";
            /** @description Of `not_monitored`: the period without monitoring that it was due in. Of `unknown`: that of another bottle of the plan, in which it may have been taken. */
            period: components["schemas"]["DosePeriod"] | null;
            pills_scheduled: number;
            pills_taken: number;
            /** @description What people say: the latest statement that stands. */
            reported: components["schemas"]["Reported"] | null;
            /** Format: date-time */
            scheduled_at: string;
            /** Format: date-time */
            taken_at: string | null;
            /** @description Why it is unknown though the bottle was connected: no report shows what was taken out at this closing. */
            unclear_closing: components["schemas"]["UnclearClosing"] | null;
            /** @description Why it is unknown though the bottle was connected: a closing was lost. Null if it is not. */
            unreported: components["schemas"]["UnreportedPills"] | null;
        };
        DosePage: {
            items: components["schemas"]["Dose"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        DosePeriod: {
            /**
             * Format: date-time
             * @description When it was entered or changed.
             */
            at: string;
            /** @enum {string} */
            reason: "pause" | "hospital" | "travel" | "pillbox" | "device_fault" | "other_container" | "not_in_use";
        };
        DosingDay: {
            /** @description `YYYY-MM-DD`. */
            local_date: string;
            measured: components["schemas"]["DayFigure"];
            /** @description With people's word. */
            reported: components["schemas"]["DayFigure"];
        };
        DosingDayPage: {
            items: components["schemas"]["DosingDay"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        DrugHoliday: {
            /**
             * Format: date-time
             * @description The last dose before it, or the beginning of the range.
             */
            from: string;
            hours: number;
            /** @description Doses prescribed in it. */
            missed_doses: number;
            /**
             * Format: date-time
             * @description The next dose, or the end of the range.
             */
            to: string;
        };
        DrugHolidays: {
            count: number;
            /** @description Of all of them together. */
            hours: number;
            periods: components["schemas"]["DrugHoliday"][];
            /** @description Periods that would count, but contain a dose of which nobody knows. */
            possible: number;
        };
        EndOtherSessions: {
            /** @description Your password. */
            password: string;
        };
        EndpointTest: {
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            attempted_at: string | null;
            /** @description The name of who asked for it. */
            by: string;
            /** @description Why it failed. */
            error: string | null;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            /** @description HTTP status, if there was a response. */
            status: number | null;
        };
        ErasureReceipt: {
            bottle_id: string;
            /** @description The number of erased documents (vitals: one per day). */
            counts: {
                actions: number;
                alerts: number;
                attestations: number;
                deliveries: number;
                doses: number;
                heartbeats: number;
                notes: number;
                vitals: number;
            };
            /** Format: date-time */
            erased_at: string;
            /** @description The name, at that time, of the person who erased it. */
            erased_by: string;
            /**
             * Format: date-time
             * @description About when the oplog, the database’s own log of changes, has overwritten the last entries of what was erased, at the rate at which it grows now. null: not known, since support-api may not read it; ask whoever runs the database, or `npm run admin -- erasure verify USER_ID`.
             */
            oplog_until: string | null;
        };
        EscalationStep: {
            /**
             * @description Since the alert was raised. Required unless `remind` is given.
             * @example 30m
             */
            after?: string;
            /**
             * @description Of a group: its carers are notified one after another, in their order, each so long after the one before. Default: all at once.
             * @example 10m
             */
            in_turn?: string;
            /** @description Default: all. */
            kinds?: ("missed_dose" | "doses_missed_in_a_row" | "bottle_open" | "bottle_silent" | "extra_dose" | "low_supply" | "count_mismatch" | "shared_token" | "battery_low" | "fleet_incident" | "coverage_gap" | "help_requested")[];
            /** @description In place of `after`: the user is reminded of a dose that is not taken, so long after its time, or before it (`-10m`), at most 12 hours, and only until it is late (REMIND-1). With `to` only, which is `user`. */
            remind?: string;
            /**
             * @description Send reminders at this interval until the alert is acknowledged.
             * @example 30m
             */
            repeat?: string;
            /**
             * @description `user`; the id of a carer (`carer` is the first; without a carer it goes to the user); or a group of carers, as `group:family`.
             * @example user
             */
            to: string;
            /** @enum {string} */
            until?: "acknowledged";
        };
        /** @description One wrong field of a request. */
        FieldError: {
            /** @description What is wrong with it, as a stable word. */
            code: string;
            /** @description Its path, such as `items[3].time`. */
            field: string;
            /** @description In a file: the line, the first is 1. */
            line?: number;
            /** @description An explanation for people. */
            message: string;
        };
        FirstRun: {
            /** @description Those over which people are reached. */
            channels: components["schemas"]["ChannelSetUp"][];
            /** @description In the order in which they are done. */
            steps: components["schemas"]["FirstStep"][];
        };
        FirstStep: {
            done: boolean;
            /**
             * @description password: every active admin has chosen their own. second_factor: every active admin has one, or SECOND_FACTOR is off. public_url: PUBLIC_URL is set. mail: an e-mail was delivered, and the notifiers have a mail server. bottle, contact: there is one. test_message: a message reached somebody. second_admin: two may sign in. backup: an admin has confirmed one.
             * @enum {string}
             */
            step: "password" | "second_factor" | "public_url" | "mail" | "bottle" | "contact" | "test_message" | "second_admin" | "backup";
        };
        Fleet: {
            bottles: components["schemas"]["FleetBottles"];
            /**
             * Format: date-time
             * @description When bottles and alerts were counted. Ingest rate and lag are current.
             */
            counted_at: string;
            ingest: components["schemas"]["Ingest"];
            /** @description Alerts that need attention, by kind: those of the list `order=needs_person`. */
            needs_attention: {
                battery_low: number;
                bottle_open: number;
                bottle_silent: number;
                count_mismatch: number;
                coverage_gap: number;
                doses_missed_in_a_row: number;
                extra_dose: number;
                fleet_incident: number;
                help_requested: number;
                low_supply: number;
                missed_dose: number;
                shared_token: number;
            };
            notifier: components["schemas"]["Notifier"];
            /** @description Open or acknowledged, by kind. */
            open_alerts: {
                battery_low: number;
                bottle_open: number;
                bottle_silent: number;
                count_mismatch: number;
                coverage_gap: number;
                doses_missed_in_a_row: number;
                extra_dose: number;
                fleet_incident: number;
                help_requested: number;
                low_supply: number;
                missed_dose: number;
                shared_token: number;
            };
            /** @description Of those, the ones that nobody takes care of, by kind. */
            unassigned: {
                battery_low: number;
                bottle_open: number;
                bottle_silent: number;
                count_mismatch: number;
                coverage_gap: number;
                doses_missed_in_a_row: number;
                extra_dose: number;
                fleet_incident: number;
                help_requested: number;
                low_supply: number;
                missed_dose: number;
                shared_token: number;
            };
        };
        FleetBottles: {
            /** @description Each bottle counts once. */
            by_status: {
                late: number;
                ok: number;
                open: number;
                silent: number;
                unknown: number;
            };
            total: number;
        };
        FleetComparison: {
            /**
             * Format: date-time
             * @description The start of the last whole hour of which all reports are counted.
             */
            from: string;
            /** @description What there was now or before: what is unusual first, then as in the charts. */
            items: components["schemas"]["Compared"][];
            /** Format: date-time */
            to: string;
            /** @description How many weeks there are to compare with: 0 to 4. With fewer than 2, no items. */
            weeks: number;
        };
        FormerBottle: {
            bottle_id: string;
            /** @description As the last action named it while it was theirs. */
            medication: string | null;
            owned: components["schemas"]["Period"][];
        };
        FoundBottle: {
            bottle_id: string;
            medication: string;
            /** @enum {string} */
            status: "unknown" | "silent" | "late" | "open" | "ok";
            user_id: string;
        };
        FoundPerson: {
            /** @description At most 5; those whose medication was looked for first. */
            bottles: components["schemas"]["FoundBottle"][];
            /** @description What the query is a part of; null if that has changed meanwhile. */
            matched: components["schemas"]["Match"] | null;
            /** @description The first of name, phone and e-mail address that the contact has. */
            name: string | null;
            user_id: string;
        };
        Gap: {
            /**
             * Format: date-time
             * @description May be before the period, but not before the bottle was theirs.
             */
            from: string;
            /**
             * @description silent: the bottle did not report. never_connected: it had not reported since it was registered. coverage_gap: the service accepted no reports.
             * @enum {string}
             */
            reason: "silent" | "never_connected" | "coverage_gap";
            /**
             * Format: date-time
             * @description Null while it lasts.
             */
            until: string | null;
        };
        Gateway: {
            /** Format: date-time */
            created_at: string;
            id: string;
            name: string;
            /**
             * Format: date-time
             * @description When it was permanently revoked.
             */
            revoked_at?: string;
        };
        GatewayBottle: {
            bottle_id: string;
            medication: string;
            user_id: string;
        };
        GatewayBottlePage: {
            items: components["schemas"]["GatewayBottle"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        GatewayBottles: {
            /** @description The bottles. */
            bottle_ids: string[];
        };
        GatewayPage: {
            items: components["schemas"]["Gateway"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        GatewayToken: {
            /** @description The token. It is shown only once. */
            token: string;
        };
        Heartbeat: {
            battery_percent: number | null;
            id: string;
            /** @description Grams. */
            mass_of_contents: number | null;
            number_of_pills: number | null;
            rssi_dbm: number | null;
            /**
             * Format: date-time
             * @description When the heartbeat was received.
             */
            time: string;
        };
        HeartbeatGap: {
            /**
             * Format: date-time
             * @description The last heartbeat before the gap.
             */
            after: string;
            /** @description How much of the gap the service was accepting reports. Milliseconds. */
            listened_ms: number;
            /** @description The number of missing heartbeats. */
            missed: number;
            /**
             * Format: date-time
             * @description The first heartbeat after the gap; null while it lasts.
             */
            until: string | null;
        };
        HeartbeatPage: {
            items: components["schemas"]["Heartbeat"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        HeatMap: {
            /** @description The same for closings with pills removed. */
            doses: number[][];
            /** @description The first day. */
            from: string;
            medication: string;
            /** @description Monday to Sunday, each by hour in the bottle's time zone. */
            pills_taken: number[][];
            /** @description null: all time zones together. */
            time_zone: string | null;
            /** @description The day after the last. */
            to: string;
            total: components["schemas"]["Taken"];
        };
        Implementation: {
            /** @description Of both numbers: days within the plan on which no dose is due. */
            break_days: number;
            /** @description Days of the plan, monitored and known. */
            denominator: number;
            /** @description In neither number: days of which the bottle says nothing. */
            not_monitored_days: number;
            /** @description Days on which at least the prescribed amount was removed. */
            numerator: number;
            /** @description 0 to 1; null if the denominator is 0. */
            ratio: number | null;
            /** @description In neither number: days with a dose whose outcome is unknown, and days without one that began before the first report. */
            unknown_days: number;
        };
        ImportedBottle: {
            bottle_id: string;
            /** @description The line in the file, starting with 1. */
            line: number;
            /** @description The bottle whose plan it is for. */
            plan_of: string | null;
            /** @description The device's token. It is shown only once. */
            token: string;
            /** @description Why doses of its schedule cannot be judged well. */
            warnings: components["schemas"]["ScheduleWarning"][];
        };
        ImportedBottles: {
            /** @description In the order of the file. */
            created: components["schemas"]["ImportedBottle"][];
        };
        Incident: {
            /** @description The first of the bottles. */
            affected: components["schemas"]["IncidentBottle"][];
            /**
             * Format: date-time
             * @description When the first of its bottles was last seen.
             */
            began_at: string;
            /** @description The bottles that fell silent in it. */
            bottles: number;
            /**
             * Format: date-time
             * @description When bottles and messages were counted.
             */
            counted_at: string;
            /** @description Messages that wait for the decision. */
            held_messages: number;
            /** @description The people to whom they go. */
            held_people: number;
            /** @description Most bottles first. */
            medications: components["schemas"]["IncidentShare"][];
            /** @description The first of the messages that wait, as people get them. */
            previews: components["schemas"]["MessagePreview"][];
            /** @description Messages about these bottles that were sent. */
            sent_messages: number;
            /** @description Those that are silent still. */
            still_silent: number;
            /** @description Most bottles first. */
            time_zones: components["schemas"]["IncidentShare"][];
            /** @description There are more bottles than are counted here. */
            truncated: boolean;
        };
        IncidentBottle: {
            alert_id: string;
            bottle_id: string;
            /** @description By which people tell the bottle from their other ones. */
            label: string | null;
            /** Format: date-time */
            last_heard_at: string | null;
            medication: string;
            /** @description Null if the bottle was erased. */
            time_zone: string | null;
            user_id: string;
            /** @description Of the user, from the contact; null if there is none. */
            user_name: string | null;
        };
        IncidentShare: {
            bottles: number;
            name: string;
        };
        Ingest: {
            /** @description Openings and closings in the last minute; null if no device-api was running. */
            actions_per_minute: number | null;
            /** @description In the last minute; null if no device-api was running. */
            heartbeats_per_minute: number | null;
        };
        Initiation: {
            /**
             * Format: date-time
             * @description Null if there is none yet.
             */
            first_dose_at: string | null;
        };
        Interval: {
            /**
             * Format: date-time
             * @description The time of one dose.
             * @example 2026-03-01T06:00:00Z
             */
            anchor: string;
            /**
             * @description How many doses there are, counted from when it takes effect. Default: no end. Not with `until`.
             * @example 14
             */
            doses?: number;
            /**
             * @description How long before its time a dose may be taken. Default: 2h; at most 24h.
             * @example 2h
             */
            early_window?: string;
            /**
             * Format: date-time
             * @description Default: now, and never before.
             * @example 2030-03-01T08:00:00Z
             */
            effective_from?: string;
            /**
             * @description From 1h to 366d.
             * @example 8h
             */
            every: string;
            /** @enum {string} */
            kind: "interval";
            /**
             * @description How long after its time a dose is late. Default: 1h; less than missed_after.
             * @example 1h
             */
            late_after?: string;
            /**
             * @description How long after its time a dose is missed. Default: 4h; at most 7d.
             * @example 4h
             */
            missed_after?: string;
            /** @description Of a dose that does not say its own. Default: 1. */
            pills_per_dose?: number;
            /**
             * @description Default: the bottle's.
             * @example Europe/Berlin
             */
            time_zone?: string;
            /**
             * Format: date
             * @description The last day, in the time zone of the schedule. Default: none.
             * @example 2030-03-10
             */
            until?: string;
        };
        KeyOwner: {
            id: string;
            name: string;
        };
        LastAction: {
            /** @enum {string} */
            action: "opened" | "closed";
            /** @description Grams. Null if the bottle did not report it. */
            mass_of_contents: number | null;
            number_of_pills: number | null;
            /**
             * Format: date-time
             * @description When the report was received.
             */
            received_at: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            time: string;
        };
        LineWarning: {
            /** @enum {string} */
            code: "windows_overlap" | "missed_after_next_dose" | "ends_before_next_step";
            /** @description The shortest time between two doses, such as `2h`; not of `ends_before_next_step`. */
            doses_apart?: string;
            /** @description The field to change, such as `schedule.missed_after`. */
            field: string;
            /** @description The line in the file, starting with 1. */
            line: number;
            /**
             * Format: date-time
             * @description No dose is due from then on; of `ends_before_next_step`.
             */
            no_dose_from?: string;
            /**
             * Format: date-time
             * @description When the next step begins; of `ends_before_next_step`.
             */
            no_dose_until?: string;
            /** @description A sentence for people. */
            text: string;
        };
        ListedAlert: {
            /** Format: date-time */
            acknowledged_at: string | null;
            acknowledged_by: string | null;
            /** @description The name of `acknowledged_by`; null of a person without one. */
            acknowledged_by_name: string | null;
            /** @description Who takes care of it. */
            assigned_to: components["schemas"]["Assignee"] | null;
            bottle_id: string;
            /** @description Who closed it and why; stays when its condition ends later. */
            closing: components["schemas"]["Closing"] | null;
            /** @description Notifications about it that could not be delivered. */
            dead_deliveries: number;
            /**
             * Format: date-time
             * @description The deadline that passed.
             */
            deadline: string;
            /**
             * @description How it ended; null while it is open or acknowledged. A closed alert may still end otherwise.
             * @enum {string|null}
             */
            ended_as: "taken_late" | "partial" | "missed" | "unknown" | "reported_taken" | "reported_skipped" | "row_ended" | "other_person" | "lid_closed" | "opened_again" | "closing_lost" | "not_monitored" | "back_online" | "returned" | "refilled" | "enough_pills" | "count_agrees" | "other_medication" | "token_replaced" | "counts_no_longer_alternate" | "charged" | "incident_over" | "coverage_restored" | "dose_taken" | "dose_stated" | "dose_late" | "dose_not_due" | "withdrawn" | "retracted" | "closed_by_staff" | null;
            /**
             * Format: date-time
             * @description When its condition ended.
             */
            ended_at: string | null;
            id: string;
            /** @enum {string} */
            kind: "missed_dose" | "doses_missed_in_a_row" | "bottle_open" | "bottle_silent" | "extra_dose" | "low_supply" | "count_mismatch" | "shared_token" | "battery_low" | "fleet_incident" | "coverage_gap" | "dose_reminder" | "help_requested";
            /** @description By which people tell the bottle from their other ones. */
            label: string | null;
            medication: string;
            /** Format: date-time */
            raised_at: string;
            /**
             * Format: date-time
             * @description No notifications before this time.
             */
            snoozed_until: string | null;
            /** @enum {string} */
            state: "open" | "acknowledged" | "closed" | "resolved" | "retracted";
            /** @description For missed_dose: the dose. */
            subject: string;
            /** @description Of the patient: IANA name. Null if the alert is about no single bottle. */
            time_zone: string | null;
            user_id: string;
            /** @description Of the user, from the contact; null if there is none. */
            user_name: string | null;
        };
        ListedAlertPage: {
            items: components["schemas"]["ListedAlert"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        ListedBottle: {
            /** @description Of the last heartbeat. */
            battery_percent: number | null;
            bottle_id: string;
            /** @description By which people tell it from their other bottles. */
            label: string | null;
            last_action: components["schemas"]["LastAction"] | null;
            /** Format: date-time */
            last_heard_at: string | null;
            /** @description Null while it is being registered or erased. */
            life: components["schemas"]["BottleLife"] | null;
            medication: string;
            /**
             * Format: date-time
             * @description The next dose by the schedule and outside pauses, even if it was taken early.
             */
            next_dose_at: string | null;
            /** @description Alerts that are open or acknowledged. */
            open_alert_count: number;
            pills_left: number | null;
            /**
             * @description For lists, of device and doses: the first that applies, in this order. ok says nothing of past doses.
             * @enum {string}
             */
            status: "unknown" | "silent" | "late" | "open" | "ok";
            /** @description The patient's time zone. */
            time_zone: string | null;
            user_id: string;
            /** @description Of the user, from the contact; null if there is none. */
            user_name: string | null;
        };
        ListedBottlePage: {
            items: components["schemas"]["ListedBottle"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        Match: {
            /** @enum {string} */
            by: "name" | "phone" | "email" | "user_id" | "carer_name" | "carer_phone" | "carer_email" | "label" | "medication";
            /** @description It is not written like the query; it differs by a letter or sounds alike. */
            is_near: boolean;
            text: string;
        };
        MedicationAdherence: {
            /** @description The bottles that they are of. */
            bottles: components["schemas"]["BottleOfFigures"][];
            /** @description Days on which every prescribed dose was taken, of days with prescribed doses. */
            days_covered: components["schemas"]["Ratio"];
            /** @description Periods of 72 hours or more without a dose although doses were prescribed. */
            drug_holidays: components["schemas"]["DrugHolidays"];
            /** @description The share of days with the prescribed amount. */
            implementation: components["schemas"]["Implementation"];
            /** @description When the treatment began, also before the range. */
            initiation: components["schemas"]["Initiation"];
            /** @description Null: all of them together; the last entry. */
            medication: string | null;
            /** @description Until when the treatment lasted. */
            persistence: components["schemas"]["Persistence"];
            reported: components["schemas"]["Taxonomy"];
        };
        Message: {
            /** @description The e-mail address or number that the last attempt went to; before the first one, that of the contact. */
            address: string | null;
            alert_id: string;
            /** @description All attempts, oldest first, including those before a replay. */
            attempts: components["schemas"]["Attempt"][];
            bottle_id: string;
            channel: string;
            /** Format: date-time */
            created_at: string;
            /**
             * @description What happened to the alert.
             * @enum {string}
             */
            event: "raised" | "escalated" | "missed" | "partial" | "corrected" | "summary" | "unconfirmed" | "unknown" | "resolved" | "reported_taken" | "reported_skipped" | "statement_withdrawn" | "monitored_again" | "not_taken_yet" | "closed_by_staff" | "retracted";
            /** @description Sent with the notification, so that a receiver can drop a repeat. */
            id: string;
            kind: string;
            /** @description By which people tell the bottle from their other ones. */
            label: string | null;
            medication: string | null;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** @description Why it was cancelled, is dead, or was last delayed. */
            reason: string | null;
            recipient: string;
            /** @description Of a person, as the contact names them; null if it does not, and of another carer than that of today. */
            recipient_name: string | null;
            /** @enum {string} */
            status: "pending" | "delivered" | "dead" | "cancelled";
            step: string;
            /** @description The text of the e-mail or SMS, or the JSON for the webhook, without the link to acknowledge; null as `title`. */
            text: string | null;
            /** @description Its text is not known any more: what it was about has changed since it was sent. */
            text_changed: boolean;
            /** @description The subject of the e-mail; null if the alert is erased or cannot be read, or with `text_changed`. */
            title: string | null;
            /** @description Whose bottle it was; null if the alert is erased. */
            user_id: string | null;
            /** @description Of this user, from the contact; null if there is none. */
            user_name: string | null;
        };
        MessagePage: {
            items: components["schemas"]["Message"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        MessagePreview: {
            /** @description The e-mail address or number; null for a webhook and for browsers. */
            address: string | null;
            alert_id: string;
            channel: string;
            /** @description `operator`, `user:USERID`, `carer:USERID` of the first carer, or `carer.ID:USERID`. */
            recipient: string;
            /** @description The text of the e-mail or SMS, what a browser shows, or the JSON that the webhook gets; links without their token. */
            text: string;
            /** @description The subject of the e-mail. */
            title: string;
        };
        Move: {
            /**
             * @description With `time_zone`: whether its schedules change to the new zone as soon as no dose falls due within half its gap of the one before and none is skipped, or keep the old zone. Default: `from_next_dose`.
             * @enum {string}
             */
            dose_times?: "from_next_dose" | "keep_home_time";
            /**
             * @description The new time zone.
             * @example Europe/Berlin
             */
            time_zone: string;
        };
        MovedDose: {
            /**
             * Format: date-time
             * @description When it is due. Null: it is left out.
             */
            is: string | null;
            pills: number;
            /**
             * Format: date-time
             * @description When it was due. Null: it was not.
             */
            was: string | null;
        };
        MovePreview: {
            /** @description Of the next 7 days, in order; at most 10. */
            doses: components["schemas"]["MovedDose"][];
        };
        NewSecondFactor: {
            /** @description For the authenticator app, base32. */
            secret: string;
            /** @description The same as a URI, to show as a QR code. */
            uri: string;
        };
        NewToken: {
            /** @description The device's new token. It is shown only once. The old token stops working. */
            token: string;
        };
        NextDose: {
            /**
             * Format: date-time
             * @description On time up to here, inclusive.
             */
            late_at: string;
            pills: number;
            /** Format: date-time */
            scheduled_at: string;
        };
        Note: {
            /** Format: date-time */
            at: string;
            /** @description Null if it is about the person. */
            bottle_id: string | null;
            /** @description The staff member or API key. */
            by: string;
            id: string;
            text: string;
        };
        NotePage: {
            items: components["schemas"]["Note"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        NotifiedAddress: {
            /** @description The e-mail address or number. */
            address: string | null;
            channel: string;
        };
        NotifiedPlan: {
            /** @description In the order of the plan; a step to a group is one to each of its carers. */
            steps: components["schemas"]["NotifiedStep"][];
        };
        NotifiedStep: {
            /** @description Where it goes. */
            addresses: components["schemas"]["NotifiedAddress"][];
            /**
             * @description Since the alert was raised; null of a reminder.
             * @example 30m
             */
            after: string | null;
            /**
             * Format: date-time
             * @description With `late_at`: when it would be sent, after the quiet hours of who gets it; null of a step that is not for a late dose.
             */
            at: string | null;
            /** @description Who gets it: whom it names, or who stands in for them, at last `operator`; null if nobody does. */
            goes_to: string | null;
            /** @description The kinds of alerts that the step is for; empty: all. */
            kinds: ("missed_dose" | "doses_missed_in_a_row" | "bottle_open" | "bottle_silent" | "extra_dose" | "low_supply" | "count_mismatch" | "shared_token" | "battery_low" | "fleet_incident" | "coverage_gap" | "dose_reminder" | "help_requested")[];
            /** @description Of who gets it, as the contact names the person. */
            name: string | null;
            /** @description Of whom the step names. */
            named: string | null;
            /**
             * @description Why it does not go to whom the step names.
             * @enum {string|null}
             */
            reason: "no_address" | "email_unverified" | "email_not_set_up" | "email_refused" | "sms_unverified" | "sms_not_set_up" | "sms_refused" | "sms_paused" | "push_not_set_up" | "push_refused" | "webhook_refused" | "webhook_not_taken" | "no_notifier" | null;
            /**
             * @description Of a reminder: since the dose was due.
             * @example -10m
             */
            remind: string | null;
            /** @description At this interval it is sent again. */
            repeat: string | null;
            /** @description Whom the step names: `user`, or the id of a carer. */
            to: string;
        };
        Notifier: {
            /** @description For each check, how long the most overdue bottle has waited. Milliseconds. */
            lag_ms: {
                dose: number;
                open: number;
                silent: number;
            };
            /** @description How many notifiers are running: those that recorded within the last minute that they run. */
            running: number;
        };
        Offline: {
            /**
             * Format: date-time
             * @description The last report before it; null if the bottle never reported.
             */
            since: string | null;
            /**
             * Format: date-time
             * @description The first report after it; null while it lasts.
             */
            until: string | null;
        };
        OwnSession: {
            /** @description Where from. */
            address: string | null;
            /**
             * Format: date-time
             * @description When you signed in.
             */
            created_at: string;
            /** @description It is the session of this request. */
            current: boolean;
            id: string;
        };
        OwnSessions: {
            /** @description Newest first. */
            items: components["schemas"]["OwnSession"][];
        };
        Pause: {
            /**
             * Format: date-time
             * @description Default: now. It may be past.
             * @example 2030-03-01T00:00:00Z
             */
            from?: string;
            /**
             * Format: date-time
             * @example 2030-03-08T00:00:00Z
             */
            to: string;
        };
        PauseView: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
        };
        Period: {
            /**
             * Format: date-time
             * @description Null: since its registration.
             */
            from: string | null;
            /**
             * Format: date-time
             * @description Null: it is theirs now.
             */
            until: string | null;
        };
        Persistence: {
            /** @description No dose on 30 days since, all prescribed and monitored. Null if that cannot be known. */
            discontinued: boolean | null;
            /** @description The last day of the range with a dose: `YYYY-MM-DD`. */
            last_dose_on: string | null;
        };
        Person: {
            /** @description At most 100, in the order of their registration. */
            bottles: components["schemas"]["PersonsBottle"][];
            contact: components["schemas"]["Contact"] | null;
            former_bottles: components["schemas"]["FormerBottle"][];
            /** @description There are more bottles: `GET /v1/bottles?user_id=` lists them. */
            has_more_bottles: boolean;
            /** @description The last 100, newest first. */
            notes: components["schemas"]["Note"][];
            /** @description Open or acknowledged, newest first. */
            open_alerts: components["schemas"]["Alert"][];
            user_id: string;
        };
        PersonErasure: {
            /** @description What was erased. shared_bottles belong to somebody else now. */
            counts: {
                actions: number;
                alerts: number;
                attestations: number;
                bottles: number;
                contacts: number;
                deliveries: number;
                doses: number;
                heartbeats: number;
                notes: number;
                shared_bottles: number;
                vitals: number;
            };
            /** Format: date-time */
            erased_at: string;
            /** @description The name, at that time, of the person who erased it. */
            erased_by: string;
            /**
             * Format: date-time
             * @description About when the oplog, the database’s own log of changes, has overwritten the last entries of what was erased, at the rate at which it grows now. null: not known, since support-api may not read it; ask whoever runs the database, or `npm run admin -- erasure verify USER_ID`.
             */
            oplog_until: string | null;
            /** @description The person's pseudonym, in the audit, too. */
            person: string;
        };
        PersonsAdherence: {
            /** Format: date-time */
            from: string;
            /** @description By medication, in the order of their registration, and then all together. */
            medications: components["schemas"]["MedicationAdherence"][];
            /** Format: date-time */
            to: string;
            user_id: string;
        };
        PersonsBottle: {
            bottle_id: string;
            /** @description By which people tell it from their other bottles. */
            label: string | null;
            last_action: components["schemas"]["LastAction"] | null;
            /** Format: date-time */
            last_heard_at: string | null;
            /** @description Null while it is being registered or erased. */
            life: components["schemas"]["BottleLife"] | null;
            medication: string;
            /**
             * Format: date-time
             * @description When its first report of any kind was received: nothing could be seen before. Null: it has not reported yet.
             */
            monitored_since: string | null;
            next_dose: components["schemas"]["NextDose"] | null;
            /** @description When it was theirs; what else happened is not shown. */
            owned: components["schemas"]["Period"][];
            pills_left: number | null;
            /** @description The step in effect, if there is one, and those that take effect later. */
            plan: components["schemas"]["ScheduleVersion"][];
            /**
             * @description For lists, of device and doses: the first that applies, in this order. ok says nothing of past doses.
             * @enum {string}
             */
            status: "unknown" | "silent" | "late" | "open" | "ok";
            time_zone: string;
            today: components["schemas"]["Today"];
            user_id: string;
        };
        PersonsDose: {
            bottle_id: string;
            /** @description Other statements that stand, latest first. */
            earlier_reports: components["schemas"]["Statement"][];
            /** Format: date-time */
            judged_at: string;
            medication: string | null;
            /** @enum {string} */
            outcome: "taken_early" | "taken_on_time" | "taken_late" | "partial" | "missed" | "unknown" | "not_monitored";
            /** @description Of `not_monitored`: the period without monitoring that it was due in. Of `unknown`: that of another bottle of the plan, in which it may have been taken. */
            period: components["schemas"]["DosePeriod"] | null;
            pills_scheduled: number;
            pills_taken: number;
            /** @description What people say: the latest statement that stands. */
            reported: components["schemas"]["Reported"] | null;
            /** Format: date-time */
            scheduled_at: string;
            /** Format: date-time */
            taken_at: string | null;
            /** @description Why it is unknown though the bottle was connected: no report shows what was taken out at this closing. */
            unclear_closing: components["schemas"]["UnclearClosing"] | null;
            /** @description Why it is unknown though the bottle was connected: a closing was lost. Null if it is not. */
            unreported: components["schemas"]["UnreportedPills"] | null;
        };
        PersonsDosePage: {
            items: components["schemas"]["PersonsDose"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        PersonsReport: {
            bottles: components["schemas"]["ReportedBottle"][];
            /** Format: date-time */
            from: string;
            name: string | null;
            /** Format: date-time */
            to: string;
            user_id: string;
        };
        Plan: {
            /** @description The step in effect, if there is one, and those that take effect later. */
            plan: components["schemas"]["ScheduleVersion"][];
        };
        PlanMember: {
            bottle_id: string;
            pills_left: number | null;
            /**
             * Format: date-time
             * @description Since when what is removed from it counts for the doses of this bottle.
             */
            since: string;
        };
        PreviewSchedule: {
            schedule?: components["schemas"]["Schedule"];
            /** @description Instead of `schedule`: several steps in one request, in order. One without `effective_from` begins when the one before it has ended, by its `until` or `doses`. */
            steps?: components["schemas"]["Schedule"][];
            /**
             * @description The patient's time zone.
             * @example Europe/Berlin
             */
            time_zone: string;
        };
        /** @description Problem details (RFC 9457). */
        Problem: {
            /** @description A stable code for programs. */
            code: string;
            /** @description An explanation for people. */
            detail: string;
            /** @description With 500: the id of the fault in our log. */
            error_id?: string;
            errors?: components["schemas"]["FieldError"][];
            /** @description The first wrong field. */
            field?: string;
            /**
             * Format: uri
             * @description Names the request, as x-request-id does.
             */
            instance?: string;
            status: number;
            title: string;
            /**
             * Format: uri
             * @description Names the code as a URI.
             */
            type: string;
        };
        Quarantine: {
            /** Format: date-time */
            at: string;
            check: string;
            error: string;
        };
        QuietHours: {
            /**
             * @description In the recipient's time zone. If it is later than `to`, the quiet hours span midnight.
             * @example 22:00
             */
            from: string;
            /** @example 07:00 */
            to: string;
        };
        Ratio: {
            denominator: number;
            numerator: number;
            /** @description 0 to 1; null if the denominator is 0. */
            ratio: number | null;
        };
        Receipt: {
            /** Format: date-time */
            at: string;
            reply: string | null;
            /**
             * @description accepted: the network has it. delivered: the phone has it. failed: it was not delivered this time. refused: the number takes no message.
             * @enum {string}
             */
            state: "accepted" | "delivered" | "failed" | "refused";
        };
        RecoveryCodes: {
            /** @description Each replaces one code. They are shown only once. */
            recovery_codes: string[];
        };
        RegisterBottle: {
            /**
             * @description By which people tell the bottle from their others: messages and their pages name it.
             * @example blue, kitchen
             */
            label?: string;
            /** @example Cordrazine */
            medication: string;
            /** @description The current content. */
            number_of_pills?: number;
            /** @description The bottle whose plan it is for, of the same user and medication: pills removed from either count for one dose. It then has no schedule of its own. */
            plan_of?: string;
            schedule?: components["schemas"]["Schedule"];
            /** @description Instead of `schedule`: several steps in one request, in order. One without `effective_from` begins when the one before it has ended, by its `until` or `doses`. */
            steps?: components["schemas"]["Schedule"][];
            /**
             * @description The patient's time zone.
             * @example Europe/Berlin
             */
            time_zone: string;
            /**
             * @description The user's id in the operator's own system.
             * @example willcross1024
             */
            user_id: string;
        };
        RegisteredBottle: {
            bottle_id: string;
            /** @description The device's token. It is shown only once. */
            token: string;
            /** @description Why doses of its schedule cannot be judged well. */
            warnings: components["schemas"]["ScheduleWarning"][];
        };
        RegisteredGateway: {
            /** Format: date-time */
            created_at: string;
            id: string;
            name: string;
            /**
             * Format: date-time
             * @description When it was permanently revoked.
             */
            revoked_at?: string;
            /** @description The token. It is shown only once. */
            token: string;
        };
        RegisterGateway: {
            /**
             * @description Who runs the gateway.
             * @example hub 4711
             */
            name: string;
        };
        Replayed: {
            /** @description The dead notifications that are sent again, at most 1,000: repeat the request for more. */
            replayed: number;
        };
        ReplayRange: {
            /**
             * Format: date-time
             * @description Created at this time or later.
             * @example 2026-03-01T00:00:00Z
             */
            from?: string;
            /**
             * Format: date-time
             * @description Created before this time.
             * @example 2026-03-02T00:00:00Z
             */
            to?: string;
        };
        Reported: {
            /**
             * @description Whether what the bottle measured fits it. unproven: the bottle cannot tell, or not yet.
             * @enum {string}
             */
            agreement: "agrees" | "disagrees" | "unproven";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            at: string;
            /**
             * @description Whose word it is.
             * @enum {string}
             */
            attested_by: "user" | "carer" | "staff";
            id: string;
            note: string | null;
            /**
             * @description By the windows of the dose. taken: without a time. partial: fewer pills than the dose has. not_taken: removed for later.
             * @enum {string}
             */
            outcome: "taken_early" | "taken_on_time" | "taken_late" | "taken" | "partial" | "skipped" | "not_taken";
            pills: number | null;
            /**
             * @description Why it was skipped.
             * @enum {string|null}
             */
            reason: "forgot" | "felt_better" | "side_effect" | "ran_out" | "doctors_advice" | "not_needed" | "away" | "other" | null;
            /** @description Who recorded it: a name of the staff or of an API key, or by the link of a message its recipient (`user:USERID`). */
            recorded_by: string;
            /** @enum {string|null} */
            source: "from_bottle" | "elsewhere" | null;
            /** Format: date-time */
            taken_at: string | null;
        };
        ReportedBottle: {
            adherence: components["schemas"]["Adherence"];
            bottle_id: string;
            /** @description When we could not see what happened, oldest first. */
            gaps: components["schemas"]["Gap"][];
            medication: string | null;
            /** @description Pauses and other periods without monitoring; the one that begins last first. */
            periods: components["schemas"]["UnmonitoredPeriod"][];
            /** @description The schedule and its changes: the versions that were in effect, in order. */
            schedules: components["schemas"]["ScheduleVersion"][];
            /** @description What people say about doses that have no outcome, oldest first. */
            unjudged: components["schemas"]["UnjudgedDose"][];
        };
        ReportProblem: {
            /** @description How many reports had it, about. */
            count: number;
            /**
             * @description refused: reports were refused for it; ignored: the field was left out; kept: it was kept, and can hardly be so.
             * @enum {string}
             */
            effect: "refused" | "ignored" | "kept";
            /** @description As the bottle sent it; empty if it was no single field. */
            field: string;
            /** Format: date-time */
            first_at: string;
            /** Format: date-time */
            last_at: string;
            /** @description The code of the answer: `unknown_field`, `out_of_range`, `invalid_time` and the like. */
            reason: string;
            /** @description The value's JSON type, `missing`, or `report`. */
            value_kind: string;
        };
        Retire: {
            /** @description Why; staff read it. */
            note?: string;
            /** @enum {string} */
            reason: "returned" | "lost" | "broken" | "owner_died";
        };
        RotateWebhookSecret: {
            /** @description For so many hours the secret before signs, too. Default: 24. */
            keep_old_for_hours?: number;
        };
        SavedSchedule: {
            /** Format: date-time */
            effective_from: string;
            /** @description The step in effect, if there is one, and those that take effect later. */
            plan: components["schemas"]["ScheduleVersion"][];
            schedule: components["schemas"]["Schedule"];
            /** @description The time zone of its times. */
            time_zone: string;
            /** @description Why doses of this schedule cannot be judged well. */
            warnings: components["schemas"]["ScheduleWarning"][];
        };
        SavedView: {
            columns: string[];
            medication?: string;
            name: string;
            sort?: string;
            status?: string;
        };
        SavedViews: {
            /** @description In the order in which they were saved. */
            items: components["schemas"]["SavedView"][];
        };
        SaveView: {
            /** @description What the list shows beside the medication and the user. */
            columns: ("status" | "open_alerts" | "next_dose" | "last_seen" | "last_action" | "pills_left" | "battery" | "time_zone" | "bottle_id")[];
            medication?: string;
            /**
             * @description A view with this name is replaced.
             * @example Silent longest
             */
            name: string;
            /** @enum {string} */
            sort?: "registered" | "-registered" | "user_id" | "-user_id" | "last_seen" | "-last_seen" | "next_dose" | "-next_dose" | "battery" | "-battery";
            /** @enum {string} */
            status?: "unknown" | "silent" | "late" | "open" | "ok";
        };
        Schedule: components["schemas"]["TimesOfDay"] | components["schemas"]["Interval"] | components["schemas"]["AsNeeded"];
        SchedulePreview: {
            /** @description In order; at most 20, within a year. */
            doses: components["schemas"]["NextDose"][];
            /** @description The plan as it would be. */
            plan: components["schemas"]["ScheduleVersion"][];
            /** @description Why doses of this schedule cannot be judged well. */
            warnings: components["schemas"]["ScheduleWarning"][];
        };
        ScheduleVersion: {
            /** Format: date-time */
            effective_from: string;
            schedule: components["schemas"]["Schedule"];
            /** @description The time zone of its times. */
            time_zone: string;
        };
        ScheduleWarning: {
            /** @enum {string} */
            code: "windows_overlap" | "missed_after_next_dose" | "ends_before_next_step";
            /** @description The shortest time between two doses, such as `2h`; not of `ends_before_next_step`. */
            doses_apart?: string;
            /** @description The field to change, such as `schedule.missed_after`. */
            field: string;
            /**
             * Format: date-time
             * @description No dose is due from then on; of `ends_before_next_step`.
             */
            no_dose_from?: string;
            /**
             * Format: date-time
             * @description When the next step begins; of `ends_before_next_step`.
             */
            no_dose_until?: string;
            /** @description A sentence for people. */
            text: string;
        };
        SearchResult: {
            /** @description Open alerts of what was found, most recent first; at most 5. */
            alerts: components["schemas"]["Alert"][];
            /** @description With this part of their id, user id or medication as it is written; at most 5. */
            bottles: components["schemas"]["FoundBottle"][];
            /** @description At most 5. */
            medications: string[];
            /** @description At most 8. */
            people: components["schemas"]["FoundPerson"][];
        };
        SendTest: {
            /** @enum {string} */
            channel: "webhook" | "email" | "sms" | "push";
            /**
             * @description `user`, or the id of a carer.
             * @example user
             */
            to: string;
        };
        SentDelivery: {
            bottle_id: string;
            id: string;
        };
        SentPending: {
            /** @description The notifications that are sent now. */
            sent: components["schemas"]["SentDelivery"][];
        };
        Series: {
            key: string;
            label: string;
            /** @description count, pills, %, dBm or g. */
            unit: string;
        };
        Session: {
            /** @description Send it as x-csrf-token with every request that changes something. */
            csrf_token: string;
            /**
             * Format: date-time
             * @description Sign in again after this time.
             */
            expires_at: string;
            /** @description For so long the session may do what is sensitive; then 403 `reauthentication_required`, until you sign in again. Seconds. */
            fresh_for_s: number;
            /** @description The session ends after so long without a request. Seconds. */
            idle_timeout_s: number;
            /** @description Do these first; other routes answer 403 until then. */
            required: ("password_change" | "second_factor")[];
            /** @enum {string} */
            second_factor: "off" | "not_set_up" | "set_up";
            staff: components["schemas"]["SignedInStaff"];
        };
        SetSchedule: {
            /**
             * Format: date-time
             * @description The `effective_from` of a planned step whose place it takes, to move that step. Default: that of the schedule.
             */
            replaces?: string;
            /** @description Whether it replaces the steps that begin after it. Default: false, they stay. */
            replaces_later?: boolean;
            schedule?: components["schemas"]["Schedule"];
            /** @description Instead of `schedule`: several steps in one request, in order. One without `effective_from` begins when the one before it has ended, by its `until` or `doses`. */
            steps?: components["schemas"]["Schedule"][];
        };
        Setting: {
            /** @description As in the environment. */
            name: string;
            value: string;
        };
        Settings: {
            channels: components["schemas"]["ChannelHealth"][];
            /** @description What support-api is set to; no secrets. */
            settings: components["schemas"]["Setting"][];
            versions: components["schemas"]["Version"][];
        };
        SignedInStaff: {
            email: string;
            id: string;
            name: string;
            /** @enum {string} */
            role: "viewer" | "support" | "admin";
        };
        SignIn: {
            /** @description Six digits of the authenticator app, or a recovery code. */
            code?: string;
            email: string;
            password: string;
        };
        Snooze: {
            note?: string;
            /**
             * @description The state in which you saw the alert. If it is another by now, the response is 409.
             * @enum {string}
             */
            seen_state?: "open" | "acknowledged";
            /**
             * Format: date-time
             * @description No notifications before this time; at most 7 days ahead.
             */
            until: string;
        };
        SnoozeMany: {
            /** @description The alerts. */
            ids: string[];
            note?: string;
            /**
             * @description The state in which you saw the alert. If it is another by now, the response is 409.
             * @enum {string}
             */
            seen_state?: "open" | "acknowledged";
            /**
             * Format: date-time
             * @description No notifications before this time; at most 7 days ahead.
             */
            until: string;
        };
        Staff: {
            /** Format: date-time */
            created_at: string;
            disabled: boolean;
            email: string;
            id: string;
            /** @description Someone else has chosen the password; the next sign-in asks for another. */
            must_change_password: boolean;
            name: string;
            /** @enum {string} */
            role: "viewer" | "support" | "admin";
            /** @description The person uses a second factor. */
            second_factor: boolean;
        };
        StaffBrowser: {
            /** @description The SHA-256 of its endpoint, base64url. */
            id: string;
            /**
             * @description What it called itself.
             * @example Firefox, Windows
             */
            name: string;
            /**
             * Format: date-time
             * @description When it was added.
             */
            since: string;
        };
        StaffBrowsers: {
            /** @description In the order in which they were added. */
            items: components["schemas"]["StaffBrowser"][];
            /** @description The public key that browsers subscribe with, base64url; null: none can be added. */
            push_key: string | null;
        };
        StaffPage: {
            items: components["schemas"]["Staff"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        Statement: {
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            at: string;
            /**
             * @description Whose word it is.
             * @enum {string}
             */
            attested_by: "user" | "carer" | "staff";
            id: string;
            note: string | null;
            /**
             * @description By the windows of the dose. taken: without a time. partial: fewer pills than the dose has. not_taken: removed for later.
             * @enum {string}
             */
            outcome: "taken_early" | "taken_on_time" | "taken_late" | "taken" | "partial" | "skipped" | "not_taken";
            pills: number | null;
            /**
             * @description Why it was skipped.
             * @enum {string|null}
             */
            reason: "forgot" | "felt_better" | "side_effect" | "ran_out" | "doctors_advice" | "not_needed" | "away" | "other" | null;
            /** @description Who recorded it: a name of the staff or of an API key, or by the link of a message its recipient (`user:USERID`). */
            recorded_by: string;
            /** @enum {string|null} */
            source: "from_bottle" | "elsewhere" | null;
            /** Format: date-time */
            taken_at: string | null;
        };
        StatusReason: {
            /** Format: date-time */
            since: string | null;
            /** @enum {string} */
            status: "unknown" | "silent" | "late" | "open" | "ok";
            /** @description A sentence for people. */
            text: string;
        };
        Store: {
            /** @description Why; staff read it. */
            note?: string;
        };
        Subject: {
            /** @description Of an alert. */
            alert_kind?: string;
            id: string;
            /** @enum {string} */
            kind: "bottle" | "alert" | "delivery" | "contact" | "api_key" | "gateway" | "webhook_endpoint" | "staff" | "list" | "route";
            /** @description Of a bottle or an alert: the label of the bottle. */
            label?: string;
            /** @description Of a bottle or an alert. */
            medication?: string;
            /** @description The name of this user, or of an account, as it is now. */
            name?: string;
            /** @description Of a bottle or an alert that is still there: whose it is. */
            user_id?: string;
        };
        Suppressed: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            kind: "missed_dose" | "doses_missed_in_a_row" | "bottle_open" | "bottle_silent" | "extra_dose" | "low_supply" | "count_mismatch" | "shared_token" | "battery_low" | "fleet_incident" | "coverage_gap" | "dose_reminder" | "help_requested";
            reason: string;
        };
        Taken: {
            /** @description Closings with pills removed. */
            doses: number;
            pills_taken: number;
        };
        Taxonomy: {
            /** @description Days on which every prescribed dose was taken, of days with prescribed doses. */
            days_covered: components["schemas"]["Ratio"];
            /** @description Periods of 72 hours or more without a dose although doses were prescribed. */
            drug_holidays: components["schemas"]["DrugHolidays"];
            /** @description The share of days with the prescribed amount. */
            implementation: components["schemas"]["Implementation"];
            /** @description When the treatment began, also before the range. */
            initiation: components["schemas"]["Initiation"];
            /** @description Until when the treatment lasted. */
            persistence: components["schemas"]["Persistence"];
        };
        TestMessage: {
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            attempted_at: string | null;
            /** @description The name of who asked for it. */
            by: string;
            channel: string;
            /** @description Why it failed. */
            error: string | null;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            /** @description The receiver's HTTP or SMTP status, if there was an answer. */
            status: number | null;
            /** @description `user`, or the id of a carer. */
            to: string;
        };
        TimedAmount: {
            /** @example 20:00 */
            at: string;
            /** @example 1.5 */
            pills: number;
        };
        TimelineEntry: {
            /** @description With action. */
            action?: components["schemas"]["Action"];
            /** @description With alert_raised, alert_closed and alert_ended. */
            alert?: components["schemas"]["Alert"];
            /**
             * Format: date-time
             * @description The event time of an action; when the first missing heartbeat was due; when an alert was raised, closed by staff or ended; when a notification was created; when the first report was refused for a reason.
             */
            at: string;
            /** @description With heartbeats_missed. */
            gap?: components["schemas"]["HeartbeatGap"];
            /** @enum {string} */
            kind: "message" | "alert_ended" | "alert_closed" | "alert_raised" | "heartbeats_missed" | "action" | "reports_refused";
            /** @description With message. */
            message?: components["schemas"]["Delivery"];
            /** @description With reports_refused. */
            refusal?: components["schemas"]["ReportProblem"];
        };
        TimelineEntryPage: {
            items: components["schemas"]["TimelineEntry"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        TimesOfDay: {
            /** @description Days on and off in turn. */
            cycle?: components["schemas"]["Cycle"];
            /**
             * @description In a month without the day, its last day. Default: all.
             * @example [
             *       1,
             *       15
             *     ]
             */
            days_of_month?: number[];
            /** @description Default: all. */
            days_of_week?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            /**
             * @description How many doses there are, counted from when it takes effect. Default: no end. Not with `until`.
             * @example 14
             */
            doses?: number;
            /**
             * @description How long before its time a dose may be taken. Default: 2h; at most 24h.
             * @example 2h
             */
            early_window?: string;
            /**
             * Format: date-time
             * @description Default: now, and never before.
             * @example 2030-03-01T08:00:00Z
             */
            effective_from?: string;
            /** @enum {string} */
            kind: "times_of_day";
            /**
             * @description How long after its time a dose is late. Default: 1h; less than missed_after.
             * @example 1h
             */
            late_after?: string;
            /**
             * @description How long after its time a dose is missed. Default: 4h; at most 7d.
             * @example 4h
             */
            missed_after?: string;
            /** @description Of a dose that does not say its own. Default: 1. */
            pills_per_dose?: number;
            /**
             * @description Default: the bottle's.
             * @example Europe/Berlin
             */
            time_zone?: string;
            /**
             * @description A time alone has `pills_per_dose`. The same time twice adds up.
             * @example [
             *       "08:00",
             *       {
             *         "at": "20:00",
             *         "pills": 1.5
             *       }
             *     ]
             */
            times: (string | components["schemas"]["TimedAmount"])[];
            /**
             * Format: date
             * @description The last day, in the time zone of the schedule. Default: none.
             * @example 2030-03-10
             */
            until?: string;
        };
        Today: {
            /** @description Of a schedule as needed. */
            as_needed: components["schemas"]["AsNeededCount"] | null;
            /**
             * Format: date-time
             * @description The earliest time at which this may change without a report.
             */
            changes_at: string;
            /** @description Doses of the day, and earlier ones without an outcome yet. */
            doses: components["schemas"]["TodaysDose"][];
            /** @description `YYYY-MM-DD` in the time zone of the patient. */
            local_date: string;
            /**
             * @description Whether doses are due at all. not_monitored: the bottle says nothing of them. ended: none is due in the next 400 days. shared: the bottle is for the plan of another one, which has the doses.
             * @enum {string}
             */
            schedule_state: "none" | "not_started" | "paused" | "not_monitored" | "as_needed" | "ended" | "active" | "shared";
            /**
             * Format: date-time
             * @description The end of the pause or of the period without monitoring, if it is known, or the start of the first schedule.
             */
            schedule_state_until: string | null;
        };
        TodaysDose: {
            /** @description Other statements that stand, latest first. */
            earlier_reports: components["schemas"]["Statement"][];
            /**
             * Format: date-time
             * @description On time up to here, inclusive.
             */
            late_at: string;
            /**
             * Format: date-time
             * @description Late up to here, inclusive. Later removals do not count.
             */
            missed_at: string;
            /** @description Why the dose is unknown. Of a late dose: the bottle has been silent since. */
            offline: components["schemas"]["Offline"] | null;
            /** @description Why the dose is not monitored. Of an unknown one: it may have been taken in this period of another bottle of the plan. */
            period: components["schemas"]["DosePeriod"] | null;
            pills_scheduled: number;
            pills_taken: number;
            /** @description What people say: the latest statement that stands. */
            reported: components["schemas"]["Reported"] | null;
            /** Format: date-time */
            scheduled_at: string;
            /**
             * @description upcoming: before its time. due: from its time on, and not known to be late. late: a report after `late_at` shows that it was not taken whole. unknown: it cannot be known, see `offline`, `unreported`, `unclear_closing` and `period`. Otherwise its outcome.
             * @enum {string}
             */
            status: "upcoming" | "due" | "late" | "taken_early" | "taken_on_time" | "taken_late" | "partial" | "missed" | "unknown" | "not_monitored";
            /**
             * Format: date-time
             * @description When enough pills had been removed.
             */
            taken_at: string | null;
            /** @description Why the dose is unknown though the bottle was connected: no report shows what was taken out at this closing. */
            unclear_closing: components["schemas"]["UnclearClosing"] | null;
            /** @description Why the dose is unknown though the bottle was connected: a closing was lost. */
            unreported: components["schemas"]["UnreportedPills"] | null;
        };
        UnclearClosing: {
            /** Format: date-time */
            at: string;
            /**
             * @description filled: the bottle was filled while it was open. not_reported: the closing did not say what was taken out.
             * @enum {string}
             */
            why: "filled" | "not_reported";
        };
        UnjudgedDose: {
            /** @description Other statements that stand, latest first. */
            earlier_reports: components["schemas"]["Statement"][];
            /** @description What people say: the latest statement that stands. */
            reported: components["schemas"]["Reported"] | null;
            /** Format: date-time */
            scheduled_at: string;
        };
        Unknown: {
            days: number;
            doses: number;
        };
        UnmonitoredPeriod: {
            /** Format: date-time */
            from: string;
            /** @description The same for all bottles of a period of a person. */
            id: string;
            note: string | null;
            /** @description Whether it is of all bottles of the person. */
            of_person: boolean;
            /**
             * @description pause: no dose is to be taken; it requires `to`. hospital, travel: of the person. pillbox, other_container: the doses come from there. device_fault: the device is not to be believed. not_in_use: nobody uses the bottle.
             * @enum {string}
             */
            reason: "pause" | "hospital" | "travel" | "pillbox" | "device_fault" | "other_container" | "not_in_use";
            /**
             * Format: date-time
             * @description When it was entered.
             */
            recorded_at: string | null;
            /** @description Who entered or changed it last. */
            recorded_by: string | null;
            /**
             * Format: date-time
             * @description Null: nobody knows yet.
             */
            to: string | null;
        };
        UnmonitoredPeriodPage: {
            items: components["schemas"]["UnmonitoredPeriod"][];
            /** @description Send it as `cursor` to get the next page. Absent on the last page. */
            next_cursor?: string;
            /** @description How many entries of this page are left out because their records are damaged. */
            unreadable?: number;
        };
        UnreportedPills: {
            /**
             * Format: date-time
             * @description The report before they left.
             */
            from: string;
            pills: number;
            /**
             * Format: date-time
             * @description The report whose count is lower.
             */
            until: string;
        };
        Version: {
            name: string;
            version: string;
        };
        Vitals: {
            /** Format: date-time */
            at: string;
            battery_percent: number | null;
            /** @description Grams. */
            mass_of_contents: number | null;
            number_of_pills: number | null;
            rssi_dbm: number | null;
        };
        WebhookEndpoint: {
            /** @description As `channel` of its deliveries. */
            channel: string;
            /** Format: date-time */
            created_at: string | null;
            description: string | null;
            /** Format: date-time */
            disabled_at: string | null;
            /**
             * Format: date-time
             * @description When it will be disabled, if nothing arrives until then.
             */
            disabled_from: string | null;
            /** @description The types that are sent there; empty: all. An end that goes to those who were sent the start needs `alert.raised`. */
            events: ("alert.raised" | "alert.escalated" | "alert.missed" | "alert.partial" | "alert.corrected" | "alert.summary" | "alert.unconfirmed" | "alert.unknown" | "alert.resolved" | "alert.reported_taken" | "alert.reported_skipped" | "alert.statement_withdrawn" | "alert.monitored_again" | "alert.not_taken_yet" | "alert.closed_by_staff" | "alert.retracted" | "addresses.refused" | "endpoint.failing" | "endpoint.disabled")[];
            /** @description Notifications that failed for good, of those created in the last 24 hours. */
            failed: number;
            /**
             * Format: date-time
             * @description When an attempt failed after which none has succeeded.
             */
            failing_since: string | null;
            /** @description Only zeros: the endpoint that WEBHOOK_URL names. */
            id: string;
            /** @description The kinds of alerts that are sent there; empty: all. */
            kinds: ("missed_dose" | "doses_missed_in_a_row" | "bottle_open" | "bottle_silent" | "extra_dose" | "low_supply" | "count_mismatch" | "shared_token" | "battery_low" | "fleet_incident" | "coverage_gap" | "dose_reminder" | "help_requested")[];
            /**
             * Format: date-time
             * @description Of the newest notifications, when the last one was delivered.
             */
            last_delivered_at: string | null;
            /**
             * Format: date-time
             * @description Until then the secret before signs, too.
             */
            old_secret_until: string | null;
            /** Format: date-time */
            paused_at: string | null;
            /**
             * @description failing: the last attempt failed, and none has succeeded since. paused: by staff. disabled: it failed for 5 days, or answered 410. What is owed to a paused or disabled one waits.
             * @enum {string}
             */
            state: "active" | "failing" | "paused" | "disabled";
            /** @description The last test message. */
            test: components["schemas"]["EndpointTest"] | null;
            /** @description null: the setting WEBHOOK_URL, which only its operator reads. */
            url: string | null;
            /** @description Notifications that wait to be sent there. */
            waiting: number;
        };
        WebhookEndpoints: {
            /** @description The one that WEBHOOK_URL names first, then oldest first. */
            items: components["schemas"]["WebhookEndpoint"][];
            /** @description The kinds of which no endpoint takes anything at the moment: what is for the operator is in the notifier’s output. */
            kinds_not_taken: ("missed_dose" | "doses_missed_in_a_row" | "bottle_open" | "bottle_silent" | "extra_dose" | "low_supply" | "count_mismatch" | "shared_token" | "battery_low" | "fleet_incident" | "coverage_gap" | "dose_reminder" | "help_requested")[];
        };
        WebhookSecret: {
            /**
             * Format: date-time
             * @description Until then the secret before signs, too.
             */
            old_secret_until: string | null;
            /** @description The new secret. It is shown only once. */
            secret: string;
        };
        Withdraw: {
            /**
             * @description Whose word it is. Default: staff.
             * @enum {string}
             */
            attested_by?: "user" | "carer" | "staff";
            note?: string;
        };
        WordedAdherence: {
            /** @description The share that rests on people's word: doses that somebody attests, of known doses. */
            attested: components["schemas"]["Ratio"];
            /** @description Days with exactly the prescribed doses, of days with prescribed doses. */
            correct_dosing: components["schemas"]["Ratio"];
            /** @description Days on which every prescribed dose was taken, of days with prescribed doses. */
            days_covered: components["schemas"]["Ratio"];
            /** @description Doses by outcome, reported or measured. */
            doses: {
                missed: number;
                not_monitored: number;
                not_taken: number;
                partial: number;
                skipped: number;
                taken: number;
                taken_early: number;
                taken_late: number;
                taken_on_time: number;
                unknown: number;
            };
            /** @description Periods of 72 hours or more without a dose although doses were prescribed. */
            drug_holidays: components["schemas"]["DrugHolidays"];
            /** @description Doses skipped on medical advice; in no figure. */
            excused: number;
            /** @description The share of days with the prescribed amount. */
            implementation: components["schemas"]["Implementation"];
            /** @description When the treatment began, also before the range. */
            initiation: components["schemas"]["Initiation"];
            /** @description Doses that were due in a period without monitoring, and the other days with one; in no denominator. */
            not_monitored: components["schemas"]["Unknown"];
            /** @description Until when the treatment lasted. */
            persistence: components["schemas"]["Persistence"];
            /** @description Whole doses taken, of doses prescribed. */
            taking: components["schemas"]["Ratio"];
            /** @description Doses taken on time, of doses prescribed. */
            timing: components["schemas"]["Ratio"];
            /** @description Doses and days with unknown outcome; in no denominator. */
            unknown: components["schemas"]["Unknown"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Acknowledge = components['schemas']['Acknowledge'];
export type AcknowledgeMany = components['schemas']['AcknowledgeMany'];
export type Action = components['schemas']['Action'];
export type ActionPage = components['schemas']['ActionPage'];
export type Actor = components['schemas']['Actor'];
export type AddNote = components['schemas']['AddNote'];
export type AddPeriod = components['schemas']['AddPeriod'];
export type AddressHealth = components['schemas']['AddressHealth'];
export type AddStaffBrowser = components['schemas']['AddStaffBrowser'];
export type Adherence = components['schemas']['Adherence'];
export type AlarmQuality = components['schemas']['AlarmQuality'];
export type AlarmQualityRow = components['schemas']['AlarmQualityRow'];
export type Alert = components['schemas']['Alert'];
export type AlertDetail = components['schemas']['AlertDetail'];
export type AlertEvent = components['schemas']['AlertEvent'];
export type AlertNote = components['schemas']['AlertNote'];
export type AlertResult = components['schemas']['AlertResult'];
export type AlertResults = components['schemas']['AlertResults'];
export type ApiKey = components['schemas']['ApiKey'];
export type ApiKeyPage = components['schemas']['ApiKeyPage'];
export type AsNeeded = components['schemas']['AsNeeded'];
export type AsNeededCount = components['schemas']['AsNeededCount'];
export type Assign = components['schemas']['Assign'];
export type AssignBottle = components['schemas']['AssignBottle'];
export type Assignee = components['schemas']['Assignee'];
export type AssignMany = components['schemas']['AssignMany'];
export type Attempt = components['schemas']['Attempt'];
export type Attest = components['schemas']['Attest'];
export type Attestation = components['schemas']['Attestation'];
export type AttestationPage = components['schemas']['AttestationPage'];
export type AttestNoDose = components['schemas']['AttestNoDose'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditEntryPage = components['schemas']['AuditEntryPage'];
export type AuditHead = components['schemas']['AuditHead'];
export type BadClock = components['schemas']['BadClock'];
export type BeginSecondFactor = components['schemas']['BeginSecondFactor'];
export type Bottle = components['schemas']['Bottle'];
export type BottleFigures = components['schemas']['BottleFigures'];
export type BottleFiguresPage = components['schemas']['BottleFiguresPage'];
export type BottleLife = components['schemas']['BottleLife'];
export type BottleOfFigures = components['schemas']['BottleOfFigures'];
export type BottlePlan = components['schemas']['BottlePlan'];
export type BottlePlanPage = components['schemas']['BottlePlanPage'];
export type Carer = components['schemas']['Carer'];
export type ChangeBottle = components['schemas']['ChangeBottle'];
export type ChangedBottle = components['schemas']['ChangedBottle'];
export type ChangePassword = components['schemas']['ChangePassword'];
export type ChangePeriod = components['schemas']['ChangePeriod'];
export type ChangeStaff = components['schemas']['ChangeStaff'];
export type ChangeWebhookEndpoint = components['schemas']['ChangeWebhookEndpoint'];
export type ChannelHealth = components['schemas']['ChannelHealth'];
export type ChannelSetUp = components['schemas']['ChannelSetUp'];
export type Chart = components['schemas']['Chart'];
export type CheckedImport = components['schemas']['CheckedImport'];
export type Close = components['schemas']['Close'];
export type CloseMany = components['schemas']['CloseMany'];
export type Closing = components['schemas']['Closing'];
export type ClosingMessage = components['schemas']['ClosingMessage'];
export type ClosingPreview = components['schemas']['ClosingPreview'];
export type Colleague = components['schemas']['Colleague'];
export type ColleaguePage = components['schemas']['ColleaguePage'];
export type Compared = components['schemas']['Compared'];
export type ConfirmSecondFactor = components['schemas']['ConfirmSecondFactor'];
export type Contact = components['schemas']['Contact'];
export type ContactDetails = components['schemas']['ContactDetails'];
export type ContactWarning = components['schemas']['ContactWarning'];
export type CoverageGap = components['schemas']['CoverageGap'];
export type CoverageGaps = components['schemas']['CoverageGaps'];
export type CreateApiKey = components['schemas']['CreateApiKey'];
export type CreatedApiKey = components['schemas']['CreatedApiKey'];
export type CreatedStaff = components['schemas']['CreatedStaff'];
export type CreatedWebhookEndpoint = components['schemas']['CreatedWebhookEndpoint'];
export type CreateStaff = components['schemas']['CreateStaff'];
export type CreateWebhookEndpoint = components['schemas']['CreateWebhookEndpoint'];
export type Cycle = components['schemas']['Cycle'];
export type DayFigure = components['schemas']['DayFigure'];
export type Decide = components['schemas']['Decide'];
export type Decision = components['schemas']['Decision'];
export type Delivery = components['schemas']['Delivery'];
export type Device = components['schemas']['Device'];
export type Dose = components['schemas']['Dose'];
export type DosePage = components['schemas']['DosePage'];
export type DosePeriod = components['schemas']['DosePeriod'];
export type DosingDay = components['schemas']['DosingDay'];
export type DosingDayPage = components['schemas']['DosingDayPage'];
export type DrugHoliday = components['schemas']['DrugHoliday'];
export type DrugHolidays = components['schemas']['DrugHolidays'];
export type EndOtherSessions = components['schemas']['EndOtherSessions'];
export type EndpointTest = components['schemas']['EndpointTest'];
export type ErasureReceipt = components['schemas']['ErasureReceipt'];
export type EscalationStep = components['schemas']['EscalationStep'];
export type FieldError = components['schemas']['FieldError'];
export type FirstRun = components['schemas']['FirstRun'];
export type FirstStep = components['schemas']['FirstStep'];
export type Fleet = components['schemas']['Fleet'];
export type FleetBottles = components['schemas']['FleetBottles'];
export type FleetComparison = components['schemas']['FleetComparison'];
export type FormerBottle = components['schemas']['FormerBottle'];
export type FoundBottle = components['schemas']['FoundBottle'];
export type FoundPerson = components['schemas']['FoundPerson'];
export type Gap = components['schemas']['Gap'];
export type Gateway = components['schemas']['Gateway'];
export type GatewayBottle = components['schemas']['GatewayBottle'];
export type GatewayBottlePage = components['schemas']['GatewayBottlePage'];
export type GatewayBottles = components['schemas']['GatewayBottles'];
export type GatewayPage = components['schemas']['GatewayPage'];
export type GatewayToken = components['schemas']['GatewayToken'];
export type Heartbeat = components['schemas']['Heartbeat'];
export type HeartbeatGap = components['schemas']['HeartbeatGap'];
export type HeartbeatPage = components['schemas']['HeartbeatPage'];
export type HeatMap = components['schemas']['HeatMap'];
export type Implementation = components['schemas']['Implementation'];
export type ImportedBottle = components['schemas']['ImportedBottle'];
export type ImportedBottles = components['schemas']['ImportedBottles'];
export type Incident = components['schemas']['Incident'];
export type IncidentBottle = components['schemas']['IncidentBottle'];
export type IncidentShare = components['schemas']['IncidentShare'];
export type Ingest = components['schemas']['Ingest'];
export type Initiation = components['schemas']['Initiation'];
export type Interval = components['schemas']['Interval'];
export type KeyOwner = components['schemas']['KeyOwner'];
export type LastAction = components['schemas']['LastAction'];
export type LineWarning = components['schemas']['LineWarning'];
export type ListedAlert = components['schemas']['ListedAlert'];
export type ListedAlertPage = components['schemas']['ListedAlertPage'];
export type ListedBottle = components['schemas']['ListedBottle'];
export type ListedBottlePage = components['schemas']['ListedBottlePage'];
export type Match = components['schemas']['Match'];
export type MedicationAdherence = components['schemas']['MedicationAdherence'];
export type Message = components['schemas']['Message'];
export type MessagePage = components['schemas']['MessagePage'];
export type MessagePreview = components['schemas']['MessagePreview'];
export type Move = components['schemas']['Move'];
export type MovedDose = components['schemas']['MovedDose'];
export type MovePreview = components['schemas']['MovePreview'];
export type NewSecondFactor = components['schemas']['NewSecondFactor'];
export type NewToken = components['schemas']['NewToken'];
export type NextDose = components['schemas']['NextDose'];
export type Note = components['schemas']['Note'];
export type NotePage = components['schemas']['NotePage'];
export type NotifiedAddress = components['schemas']['NotifiedAddress'];
export type NotifiedPlan = components['schemas']['NotifiedPlan'];
export type NotifiedStep = components['schemas']['NotifiedStep'];
export type Notifier = components['schemas']['Notifier'];
export type Offline = components['schemas']['Offline'];
export type OwnSession = components['schemas']['OwnSession'];
export type OwnSessions = components['schemas']['OwnSessions'];
export type Pause = components['schemas']['Pause'];
export type PauseView = components['schemas']['PauseView'];
export type Period = components['schemas']['Period'];
export type Persistence = components['schemas']['Persistence'];
export type Person = components['schemas']['Person'];
export type PersonErasure = components['schemas']['PersonErasure'];
export type PersonsAdherence = components['schemas']['PersonsAdherence'];
export type PersonsBottle = components['schemas']['PersonsBottle'];
export type PersonsDose = components['schemas']['PersonsDose'];
export type PersonsDosePage = components['schemas']['PersonsDosePage'];
export type PersonsReport = components['schemas']['PersonsReport'];
export type Plan = components['schemas']['Plan'];
export type PlanMember = components['schemas']['PlanMember'];
export type PreviewSchedule = components['schemas']['PreviewSchedule'];
export type Problem = components['schemas']['Problem'];
export type Quarantine = components['schemas']['Quarantine'];
export type QuietHours = components['schemas']['QuietHours'];
export type Ratio = components['schemas']['Ratio'];
export type Receipt = components['schemas']['Receipt'];
export type RecoveryCodes = components['schemas']['RecoveryCodes'];
export type RegisterBottle = components['schemas']['RegisterBottle'];
export type RegisteredBottle = components['schemas']['RegisteredBottle'];
export type RegisteredGateway = components['schemas']['RegisteredGateway'];
export type RegisterGateway = components['schemas']['RegisterGateway'];
export type Replayed = components['schemas']['Replayed'];
export type ReplayRange = components['schemas']['ReplayRange'];
export type Reported = components['schemas']['Reported'];
export type ReportedBottle = components['schemas']['ReportedBottle'];
export type ReportProblem = components['schemas']['ReportProblem'];
export type Retire = components['schemas']['Retire'];
export type RotateWebhookSecret = components['schemas']['RotateWebhookSecret'];
export type SavedSchedule = components['schemas']['SavedSchedule'];
export type SavedView = components['schemas']['SavedView'];
export type SavedViews = components['schemas']['SavedViews'];
export type SaveView = components['schemas']['SaveView'];
export type Schedule = components['schemas']['Schedule'];
export type SchedulePreview = components['schemas']['SchedulePreview'];
export type ScheduleVersion = components['schemas']['ScheduleVersion'];
export type ScheduleWarning = components['schemas']['ScheduleWarning'];
export type SearchResult = components['schemas']['SearchResult'];
export type SendTest = components['schemas']['SendTest'];
export type SentDelivery = components['schemas']['SentDelivery'];
export type SentPending = components['schemas']['SentPending'];
export type Series = components['schemas']['Series'];
export type Session = components['schemas']['Session'];
export type SetSchedule = components['schemas']['SetSchedule'];
export type Setting = components['schemas']['Setting'];
export type Settings = components['schemas']['Settings'];
export type SignedInStaff = components['schemas']['SignedInStaff'];
export type SignIn = components['schemas']['SignIn'];
export type Snooze = components['schemas']['Snooze'];
export type SnoozeMany = components['schemas']['SnoozeMany'];
export type Staff = components['schemas']['Staff'];
export type StaffBrowser = components['schemas']['StaffBrowser'];
export type StaffBrowsers = components['schemas']['StaffBrowsers'];
export type StaffPage = components['schemas']['StaffPage'];
export type Statement = components['schemas']['Statement'];
export type StatusReason = components['schemas']['StatusReason'];
export type Store = components['schemas']['Store'];
export type Subject = components['schemas']['Subject'];
export type Suppressed = components['schemas']['Suppressed'];
export type Taken = components['schemas']['Taken'];
export type Taxonomy = components['schemas']['Taxonomy'];
export type TestMessage = components['schemas']['TestMessage'];
export type TimedAmount = components['schemas']['TimedAmount'];
export type TimelineEntry = components['schemas']['TimelineEntry'];
export type TimelineEntryPage = components['schemas']['TimelineEntryPage'];
export type TimesOfDay = components['schemas']['TimesOfDay'];
export type Today = components['schemas']['Today'];
export type TodaysDose = components['schemas']['TodaysDose'];
export type UnclearClosing = components['schemas']['UnclearClosing'];
export type UnjudgedDose = components['schemas']['UnjudgedDose'];
export type Unknown = components['schemas']['Unknown'];
export type UnmonitoredPeriod = components['schemas']['UnmonitoredPeriod'];
export type UnmonitoredPeriodPage = components['schemas']['UnmonitoredPeriodPage'];
export type UnreportedPills = components['schemas']['UnreportedPills'];
export type Version = components['schemas']['Version'];
export type Vitals = components['schemas']['Vitals'];
export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];
export type WebhookEndpoints = components['schemas']['WebhookEndpoints'];
export type WebhookSecret = components['schemas']['WebhookSecret'];
export type Withdraw = components['schemas']['Withdraw'];
export type WordedAdherence = components['schemas']['WordedAdherence'];
export type $defs = Record<string, never>;
type FlattenedDeepRequired<T> = {
    [K in keyof T]-?: FlattenedDeepRequired<T[K] extends unknown[] | undefined | null ? Extract<T[K], unknown[]>[number] : T[K]>;
};
type ReadonlyArray<T> = [
    Exclude<T, undefined>
] extends [
    unknown[]
] ? Readonly<Exclude<T, undefined>> : Readonly<Exclude<T, undefined>[]>;
export const actionActionValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Action"]["action"]> = ["opened", "closed"];
export const actorKindValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Actor"]["kind"]> = ["staff", "api_key", "link", "command", "unknown"];
export const addPeriodReasonValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["AddPeriod"]["reason"]> = ["pause", "hospital", "travel", "pillbox", "device_fault", "other_container", "not_in_use"];
export const addressHealthStateValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["AddressHealth"]["state"]> = ["verified", "unverified", "refused", "paused"];
export const alarmQualityRowKindValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["AlarmQualityRow"]["kind"]> = ["missed_dose", "doses_missed_in_a_row", "bottle_open", "bottle_silent", "extra_dose", "low_supply", "count_mismatch", "shared_token", "battery_low", "fleet_incident", "coverage_gap", "dose_reminder", "help_requested"];
export const alertKindValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Alert"]["kind"]> = ["missed_dose", "doses_missed_in_a_row", "bottle_open", "bottle_silent", "extra_dose", "low_supply", "count_mismatch", "shared_token", "battery_low", "fleet_incident", "coverage_gap", "dose_reminder", "help_requested"];
export const alertStateValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Alert"]["state"]> = ["open", "acknowledged", "closed", "resolved", "retracted"];
export const alertDetailKindValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["AlertDetail"]["kind"]> = ["missed_dose", "doses_missed_in_a_row", "bottle_open", "bottle_silent", "extra_dose", "low_supply", "count_mismatch", "shared_token", "battery_low", "fleet_incident", "coverage_gap", "dose_reminder", "help_requested"];
export const alertDetailStateValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["AlertDetail"]["state"]> = ["open", "acknowledged", "closed", "resolved", "retracted"];
export const alertEventEventValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["AlertEvent"]["event"]> = ["raised", "escalated", "acknowledged", "confirmed", "dismissed", "withdrawn", "snoozed", "closed_by_staff", "cleared", "returned", "resolved", "retracted", "missed", "assigned", "unassigned", "noted"];
export const apiKeyRoleValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["ApiKey"]["role"]> = ["viewer", "support", "admin"];
export const asNeededKindValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["AsNeeded"]["kind"]> = ["as_needed"];
export const attestAttested_byValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Attest"]["attested_by"]> = ["user", "carer", "staff"];
export const attestKindValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Attest"]["kind"]> = ["taken", "skipped", "not_taken"];
export const attestReasonValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Attest"]["reason"]> = ["forgot", "felt_better", "side_effect", "ran_out", "doctors_advice", "not_needed", "away", "other"];
export const attestSourceValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Attest"]["source"]> = ["from_bottle", "elsewhere"];
export const attestationAttested_byValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Attestation"]["attested_by"]> = ["user", "carer", "staff"];
export const attestationKindValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Attestation"]["kind"]> = ["taken", "skipped", "not_taken", "no_dose", "withdrawn"];
export const attestNoDoseAttested_byValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["AttestNoDose"]["attested_by"]> = ["user", "carer", "staff"];
export const auditEntryCategoryValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["AuditEntry"]["category"]> = ["change", "read", "refusal"];
export const bottleStatusValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Bottle"]["status"]> = ["unknown", "silent", "late", "open", "ok"];
export const bottleLifeStateValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["BottleLife"]["state"]> = ["in_use", "stored", "retired"];
export const carerLanguageValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Carer"]["language"]> = ["en", "de"];
export const carerUnreachable_reasonValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Carer"]["unreachable_reason"]> = ["no_address", "email_unverified", "email_not_set_up", "email_refused", "sms_unverified", "sms_not_set_up", "sms_refused", "sms_paused", "push_not_set_up", "push_refused", "webhook_refused", "webhook_not_taken", "no_notifier"];
export const changeBottleDose_timesValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["ChangeBottle"]["dose_times"]> = ["from_next_dose", "keep_home_time"];
export const changedBottleStatusValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["ChangedBottle"]["status"]> = ["unknown", "silent", "late", "open", "ok"];
export const changePeriodReasonValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["ChangePeriod"]["reason"]> = ["pause", "hospital", "travel", "pillbox", "device_fault", "other_container", "not_in_use"];
export const changeStaffRoleValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["ChangeStaff"]["role"]> = ["viewer", "support", "admin"];
export const changeWebhookEndpointEventsValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["ChangeWebhookEndpoint"]["events"]> = ["alert.raised", "alert.escalated", "alert.missed", "alert.partial", "alert.corrected", "alert.summary", "alert.unconfirmed", "alert.unknown", "alert.resolved", "alert.reported_taken", "alert.reported_skipped", "alert.statement_withdrawn", "alert.monitored_again", "alert.not_taken_yet", "alert.closed_by_staff", "alert.retracted", "addresses.refused", "endpoint.failing", "endpoint.disabled"];
export const changeWebhookEndpointKindsValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["ChangeWebhookEndpoint"]["kinds"]> = ["missed_dose", "doses_missed_in_a_row", "bottle_open", "bottle_silent", "extra_dose", "low_supply", "count_mismatch", "shared_token", "battery_low", "fleet_incident", "coverage_gap", "dose_reminder", "help_requested"];
export const channelSetUpChannelValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["ChannelSetUp"]["channel"]> = ["email", "sms", "push"];
export const closeReasonValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Close"]["reason"]> = ["device_fault", "duplicate", "settled_by_phone", "not_relevant", "other"];
export const closeSeen_stateValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Close"]["seen_state"]> = ["open", "acknowledged"];
export const closeManyReasonValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["CloseMany"]["reason"]> = ["device_fault", "duplicate", "settled_by_phone", "not_relevant", "other"];
export const closeManySeen_stateValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["CloseMany"]["seen_state"]> = ["open", "acknowledged"];
export const closingReasonValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Closing"]["reason"]> = ["device_fault", "duplicate", "settled_by_phone", "not_relevant", "not_in_use", "other"];
export const comparedSeriesValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Compared"]["series"]> = ["reports", "alerts", "deliveries"];
export const contactLanguageValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Contact"]["language"]> = ["en", "de"];
export const contactUnreachable_reasonValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Contact"]["unreachable_reason"]> = ["no_address", "email_unverified", "email_not_set_up", "email_refused", "sms_unverified", "sms_not_set_up", "sms_refused", "sms_paused", "push_not_set_up", "push_refused", "webhook_refused", "webhook_not_taken", "no_notifier"];
export const contactDetailsLanguageValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["ContactDetails"]["language"]> = ["en", "de"];
export const contactDetailsUnreachable_reasonValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["ContactDetails"]["unreachable_reason"]> = ["no_address", "email_unverified", "email_not_set_up", "email_refused", "sms_unverified", "sms_not_set_up", "sms_refused", "sms_paused", "push_not_set_up", "push_refused", "webhook_refused", "webhook_not_taken", "no_notifier"];
export const contactWarningCodeValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["ContactWarning"]["code"]> = ["no_bottles"];
export const coverageGapPartValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["CoverageGap"]["part"]> = ["device-api", "notifier"];
export const createApiKeyRoleValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["CreateApiKey"]["role"]> = ["viewer", "support", "admin"];
export const createdApiKeyRoleValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["CreatedApiKey"]["role"]> = ["viewer", "support", "admin"];
export const createdStaffRoleValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["CreatedStaff"]["role"]> = ["viewer", "support", "admin"];
export const createdWebhookEndpointEventsValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["CreatedWebhookEndpoint"]["events"]> = ["alert.raised", "alert.escalated", "alert.missed", "alert.partial", "alert.corrected", "alert.summary", "alert.unconfirmed", "alert.unknown", "alert.resolved", "alert.reported_taken", "alert.reported_skipped", "alert.statement_withdrawn", "alert.monitored_again", "alert.not_taken_yet", "alert.closed_by_staff", "alert.retracted", "addresses.refused", "endpoint.failing", "endpoint.disabled"];
export const createdWebhookEndpointKindsValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["CreatedWebhookEndpoint"]["kinds"]> = ["missed_dose", "doses_missed_in_a_row", "bottle_open", "bottle_silent", "extra_dose", "low_supply", "count_mismatch", "shared_token", "battery_low", "fleet_incident", "coverage_gap", "dose_reminder", "help_requested"];
export const createdWebhookEndpointStateValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["CreatedWebhookEndpoint"]["state"]> = ["active", "failing", "paused", "disabled"];
export const createStaffRoleValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["CreateStaff"]["role"]> = ["viewer", "support", "admin"];
export const createWebhookEndpointEventsValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["CreateWebhookEndpoint"]["events"]> = ["alert.raised", "alert.escalated", "alert.missed", "alert.partial", "alert.corrected", "alert.summary", "alert.unconfirmed", "alert.unknown", "alert.resolved", "alert.reported_taken", "alert.reported_skipped", "alert.statement_withdrawn", "alert.monitored_again", "alert.not_taken_yet", "alert.closed_by_staff", "alert.retracted", "addresses.refused", "endpoint.failing", "endpoint.disabled"];
export const createWebhookEndpointKindsValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["CreateWebhookEndpoint"]["kinds"]> = ["missed_dose", "doses_missed_in_a_row", "bottle_open", "bottle_silent", "extra_dose", "low_supply", "count_mismatch", "shared_token", "battery_low", "fleet_incident", "coverage_gap", "dose_reminder", "help_requested"];
export const decisionOutcomeValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Decision"]["outcome"]> = ["confirmed", "dismissed"];
export const deliveryEventValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Delivery"]["event"]> = ["raised", "escalated", "missed", "partial", "corrected", "summary", "unconfirmed", "unknown", "resolved", "reported_taken", "reported_skipped", "statement_withdrawn", "monitored_again", "not_taken_yet", "closed_by_staff", "retracted"];
export const deliveryStatusValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Delivery"]["status"]> = ["pending", "delivered", "dead", "cancelled"];
export const deviceStatusValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Device"]["status"]> = ["unknown", "silent", "open", "ok"];
export const doseOutcomeValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Dose"]["outcome"]> = ["taken_early", "taken_on_time", "taken_late", "partial", "missed", "unknown", "not_monitored"];
export const dosePeriodReasonValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["DosePeriod"]["reason"]> = ["pause", "hospital", "travel", "pillbox", "device_fault", "other_container", "not_in_use"];
export const endpointTestStateValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["EndpointTest"]["state"]> = ["pending", "delivered", "failed"];
export const escalationStepKindsValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["EscalationStep"]["kinds"]> = ["missed_dose", "doses_missed_in_a_row", "bottle_open", "bottle_silent", "extra_dose", "low_supply", "count_mismatch", "shared_token", "battery_low", "fleet_incident", "coverage_gap", "help_requested"];
export const escalationStepUntilValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["EscalationStep"]["until"]> = ["acknowledged"];
export const firstStepStepValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["FirstStep"]["step"]> = ["password", "second_factor", "public_url", "mail", "bottle", "contact", "test_message", "second_admin", "backup"];
export const foundBottleStatusValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["FoundBottle"]["status"]> = ["unknown", "silent", "late", "open", "ok"];
export const gapReasonValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Gap"]["reason"]> = ["silent", "never_connected", "coverage_gap"];
export const intervalKindValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Interval"]["kind"]> = ["interval"];
export const lastActionActionValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["LastAction"]["action"]> = ["opened", "closed"];
export const lineWarningCodeValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["LineWarning"]["code"]> = ["windows_overlap", "missed_after_next_dose", "ends_before_next_step"];
export const listedAlertKindValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["ListedAlert"]["kind"]> = ["missed_dose", "doses_missed_in_a_row", "bottle_open", "bottle_silent", "extra_dose", "low_supply", "count_mismatch", "shared_token", "battery_low", "fleet_incident", "coverage_gap", "dose_reminder", "help_requested"];
export const listedAlertStateValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["ListedAlert"]["state"]> = ["open", "acknowledged", "closed", "resolved", "retracted"];
export const listedBottleStatusValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["ListedBottle"]["status"]> = ["unknown", "silent", "late", "open", "ok"];
export const matchByValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Match"]["by"]> = ["name", "phone", "email", "user_id", "carer_name", "carer_phone", "carer_email", "label", "medication"];
export const messageEventValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Message"]["event"]> = ["raised", "escalated", "missed", "partial", "corrected", "summary", "unconfirmed", "unknown", "resolved", "reported_taken", "reported_skipped", "statement_withdrawn", "monitored_again", "not_taken_yet", "closed_by_staff", "retracted"];
export const messageStatusValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Message"]["status"]> = ["pending", "delivered", "dead", "cancelled"];
export const moveDose_timesValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Move"]["dose_times"]> = ["from_next_dose", "keep_home_time"];
export const notifiedStepKindsValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["NotifiedStep"]["kinds"]> = ["missed_dose", "doses_missed_in_a_row", "bottle_open", "bottle_silent", "extra_dose", "low_supply", "count_mismatch", "shared_token", "battery_low", "fleet_incident", "coverage_gap", "dose_reminder", "help_requested"];
export const personsBottleStatusValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["PersonsBottle"]["status"]> = ["unknown", "silent", "late", "open", "ok"];
export const personsDoseOutcomeValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["PersonsDose"]["outcome"]> = ["taken_early", "taken_on_time", "taken_late", "partial", "missed", "unknown", "not_monitored"];
export const receiptStateValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Receipt"]["state"]> = ["accepted", "delivered", "failed", "refused"];
export const reportedAgreementValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Reported"]["agreement"]> = ["agrees", "disagrees", "unproven"];
export const reportedAttested_byValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Reported"]["attested_by"]> = ["user", "carer", "staff"];
export const reportedOutcomeValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Reported"]["outcome"]> = ["taken_early", "taken_on_time", "taken_late", "taken", "partial", "skipped", "not_taken"];
export const reportProblemEffectValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["ReportProblem"]["effect"]> = ["refused", "ignored", "kept"];
export const retireReasonValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Retire"]["reason"]> = ["returned", "lost", "broken", "owner_died"];
export const saveViewColumnsValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["SaveView"]["columns"]> = ["status", "open_alerts", "next_dose", "last_seen", "last_action", "pills_left", "battery", "time_zone", "bottle_id"];
export const saveViewSortValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["SaveView"]["sort"]> = ["registered", "-registered", "user_id", "-user_id", "last_seen", "-last_seen", "next_dose", "-next_dose", "battery", "-battery"];
export const saveViewStatusValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["SaveView"]["status"]> = ["unknown", "silent", "late", "open", "ok"];
export const scheduleWarningCodeValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["ScheduleWarning"]["code"]> = ["windows_overlap", "missed_after_next_dose", "ends_before_next_step"];
export const sendTestChannelValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["SendTest"]["channel"]> = ["webhook", "email", "sms", "push"];
export const sessionRequiredValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Session"]["required"]> = ["password_change", "second_factor"];
export const sessionSecond_factorValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Session"]["second_factor"]> = ["off", "not_set_up", "set_up"];
export const signedInStaffRoleValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["SignedInStaff"]["role"]> = ["viewer", "support", "admin"];
export const snoozeSeen_stateValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Snooze"]["seen_state"]> = ["open", "acknowledged"];
export const snoozeManySeen_stateValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["SnoozeMany"]["seen_state"]> = ["open", "acknowledged"];
export const staffRoleValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Staff"]["role"]> = ["viewer", "support", "admin"];
export const statementAttested_byValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Statement"]["attested_by"]> = ["user", "carer", "staff"];
export const statementOutcomeValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Statement"]["outcome"]> = ["taken_early", "taken_on_time", "taken_late", "taken", "partial", "skipped", "not_taken"];
export const statusReasonStatusValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["StatusReason"]["status"]> = ["unknown", "silent", "late", "open", "ok"];
export const subjectKindValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Subject"]["kind"]> = ["bottle", "alert", "delivery", "contact", "api_key", "gateway", "webhook_endpoint", "staff", "list", "route"];
export const suppressedKindValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Suppressed"]["kind"]> = ["missed_dose", "doses_missed_in_a_row", "bottle_open", "bottle_silent", "extra_dose", "low_supply", "count_mismatch", "shared_token", "battery_low", "fleet_incident", "coverage_gap", "dose_reminder", "help_requested"];
export const testMessageStateValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["TestMessage"]["state"]> = ["pending", "delivered", "failed"];
export const timelineEntryKindValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["TimelineEntry"]["kind"]> = ["message", "alert_ended", "alert_closed", "alert_raised", "heartbeats_missed", "action", "reports_refused"];
export const timesOfDayDays_of_weekValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["TimesOfDay"]["days_of_week"]> = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
export const timesOfDayKindValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["TimesOfDay"]["kind"]> = ["times_of_day"];
export const todaySchedule_stateValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Today"]["schedule_state"]> = ["none", "not_started", "paused", "not_monitored", "as_needed", "ended", "active", "shared"];
export const todaysDoseStatusValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["TodaysDose"]["status"]> = ["upcoming", "due", "late", "taken_early", "taken_on_time", "taken_late", "partial", "missed", "unknown", "not_monitored"];
export const unclearClosingWhyValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["UnclearClosing"]["why"]> = ["filled", "not_reported"];
export const unmonitoredPeriodReasonValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["UnmonitoredPeriod"]["reason"]> = ["pause", "hospital", "travel", "pillbox", "device_fault", "other_container", "not_in_use"];
export const webhookEndpointEventsValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["WebhookEndpoint"]["events"]> = ["alert.raised", "alert.escalated", "alert.missed", "alert.partial", "alert.corrected", "alert.summary", "alert.unconfirmed", "alert.unknown", "alert.resolved", "alert.reported_taken", "alert.reported_skipped", "alert.statement_withdrawn", "alert.monitored_again", "alert.not_taken_yet", "alert.closed_by_staff", "alert.retracted", "addresses.refused", "endpoint.failing", "endpoint.disabled"];
export const webhookEndpointKindsValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["WebhookEndpoint"]["kinds"]> = ["missed_dose", "doses_missed_in_a_row", "bottle_open", "bottle_silent", "extra_dose", "low_supply", "count_mismatch", "shared_token", "battery_low", "fleet_incident", "coverage_gap", "dose_reminder", "help_requested"];
export const webhookEndpointStateValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["WebhookEndpoint"]["state"]> = ["active", "failing", "paused", "disabled"];
export const webhookEndpointsKinds_not_takenValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["WebhookEndpoints"]["kinds_not_taken"]> = ["missed_dose", "doses_missed_in_a_row", "bottle_open", "bottle_silent", "extra_dose", "low_supply", "count_mismatch", "shared_token", "battery_low", "fleet_incident", "coverage_gap", "dose_reminder", "help_requested"];
export const withdrawAttested_byValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Withdraw"]["attested_by"]> = ["user", "carer", "staff"];
export type operations = Record<string, never>;
