import { MultiSelect, TextInput } from '@mantine/core';
import { ALERT_KINDS, alertKind } from '../../alert-kinds/alert-kinds.js';
import { messageEventLabel } from '../../alert-kinds/message-events.js';
import { patch, post } from '../../api/request.js';
import type { WebhookEndpoint } from '../../api/schema.js';
import { t } from '../../i18n/i18n.js';
import { FormDialog, useForm } from '../../ui/Form.js';

type Saved = WebhookEndpoint & { secret?: string };

const KINDS = ALERT_KINDS.map((kind) => ({ value: kind as string, label: alertKind(kind).label }));
/** All of the API's, in the order of the list. */
const TYPES: Record<NonNullable<WebhookEndpoint['events']>[number], true> = {
  'alert.raised': true,
  'alert.escalated': true,
  'alert.missed': true,
  'alert.partial': true,
  'alert.corrected': true,
  'alert.summary': true,
  'alert.unconfirmed': true,
  'alert.unknown': true,
  'alert.resolved': true,
  'alert.reported_taken': true,
  'alert.reported_skipped': true,
  'alert.statement_withdrawn': true,
  'alert.monitored_again': true,
  'alert.not_taken_yet': true,
  'alert.closed_by_staff': true,
  'alert.retracted': true,
  'addresses.refused': true,
  'endpoint.failing': true,
  'endpoint.disabled': true,
};
const EVENTS = Object.keys(TYPES).map((type) => ({ value: type, label: eventLabel(type) }));

function eventLabel(type: string): string {
  return type.startsWith('alert.') ? `${messageEventLabel(type.slice('alert.'.length))} (${type})` : type;
}

interface EndpointDialogProps {
  /** Undefined: a new one. */
  endpoint: WebhookEndpoint | undefined;
  onSaved: (saved: Saved) => void;
  onClose: () => void;
}

/** Adds an endpoint, or changes what one wants. */
export function EndpointDialog({ endpoint, onSaved, onClose }: EndpointDialogProps) {
  const kinds: string[] = endpoint?.kinds ?? [];
  const events: string[] = endpoint?.events ?? [];
  const { values, set, saving, text, errorOf } = useForm({
    initial: { url: endpoint?.url ?? '', description: endpoint?.description ?? '', kinds, events },
    save: ({ url, description, kinds, events }, key) => {
      const [address, about] = [url.trim(), description.trim()];
      if (endpoint)
        return patch<Saved>(`/v1/webhook-endpoints/${endpoint.id}`, {
          url: address,
          description: about,
          kinds,
          events,
        });
      const body = { url: address, ...(about !== '' && { description: about }), kinds, events };
      return post<Saved>('/v1/webhook-endpoints', body, key);
    },
    onSaved,
  });
  return (
    <FormDialog
      title={endpoint ? t('Edit endpoint') : t('Add endpoint')}
      action={endpoint ? t('Save') : t('Add endpoint')}
      saving={saving}
      onClose={onClose}
    >
      <TextInput
        label={t('URL')}
        description={t('Messages are posted there, signed as Standard Webhooks specifies.')}
        type="url"
        required
        maxLength={2000}
        {...text('url')}
        data-autofocus
      />
      <TextInput label={t('Description')} maxLength={200} {...text('description')} />
      <MultiSelect
        label={t('Alerts')}
        description={t('Leave blank for all.')}
        data={KINDS}
        value={values.kinds}
        error={errorOf('kinds')}
        onChange={(kinds) => set({ kinds })}
      />
      <MultiSelect
        label={t('Events')}
        description={t('Leave blank for all.')}
        data={EVENTS}
        searchable
        value={values.events}
        error={errorOf('events')}
        onChange={(events) => set({ events })}
      />
    </FormDialog>
  );
}
