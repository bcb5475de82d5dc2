import { Button, Menu, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { get, put, remove } from '../../api/request.js';
import type { SavedView } from '../../api/schema.js';
import { FormDialog, useForm } from '../../ui/Form.js';
import { notify, notifyError } from '../../ui/notify.js';
import { t } from '../../i18n/i18n.js';

const KEY = ['views'];

interface ViewsMenuProps {
  /** The list as it is shown now. */
  shown: Omit<SavedView, 'name'>;
  /** Whether the list is also filtered by what a view does not keep. */
  isNarrowed: boolean;
  onChoose: (view: SavedView) => void;
}

/** The user's views of the list: choose one, save the present one, delete it. */
export function ViewsMenu({ shown, isNarrowed, onChoose }: ViewsMenuProps) {
  const client = useQueryClient();
  const [saving, setSaving] = useState(false);
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => get<{ items: SavedView[] }>('/v1/session/views', { signal }),
  });
  const views = data?.items ?? [];
  const current = isNarrowed ? undefined : views.find((view) => isSame(view, shown));
  const deletion = useMutation({
    mutationFn: ({ name }: SavedView) => remove('/v1/session/views', { name }),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
    onError: notifyError,
  });
  return (
    <>
      <Menu position="bottom-start" keepMounted={false}>
        <Menu.Target>
          <Button variant="default">
            {current ? t('View: {{name}}', { name: current.name }) : t('Views')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={360} maw={320} style={{ overflowY: 'auto' }}>
          {views.map((view) => (
            <Menu.Item
              key={view.name}
              onClick={() => onChoose(view)}
              {...(view === current && { 'aria-current': true })}
            >
              {view.name}
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item onClick={() => setSaving(true)}>{t('Save this view…')}</Menu.Item>
          {current && (
            <Menu.Item color="red" onClick={() => deletion.mutate(current)}>
              {t('Delete “{{name}}”', { name: current.name })}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {saving && (
        <SaveDialog
          shown={shown}
          isNarrowed={isNarrowed}
          taken={views.map(({ name }) => name)}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  );
}

interface SaveDialogProps {
  shown: Omit<SavedView, 'name'>;
  isNarrowed: boolean;
  taken: readonly string[];
  onClose: () => void;
}

function SaveDialog({ shown, isNarrowed, taken, onClose }: SaveDialogProps) {
  const client = useQueryClient();
  const { values, saving, text } = useForm({
    initial: { name: '' },
    save: ({ name }) => put<{ items: SavedView[] }>('/v1/session/views', { ...shown, name: name.trim() }),
    onSaved: (views) => {
      client.setQueryData(KEY, views);
      notify(t('View saved.'));
      onClose();
    },
  });
  const replaces = taken.includes(values.name.trim());
  return (
    <FormDialog
      title={t('Save this view')}
      action={replaces ? t('Replace view') : t('Save view')}
      disabled={values.name.trim() === ''}
      saving={saving}
      onClose={onClose}
    >
      <p>
        {t(
          'A view keeps the status, medication, order and columns. It is available in every browser in which you sign in.',
        )}
        {isNarrowed && ` ${t('It keeps neither the search text nor the user.')}`}
      </p>
      <TextInput label={t('Name')} maxLength={60} autoComplete="off" {...text('name')} data-autofocus />
    </FormDialog>
  );
}

function isSame(view: SavedView, shown: Omit<SavedView, 'name'>): boolean {
  const isEqual = (['status', 'medication', 'sort'] as const).every((field) => view[field] === shown[field]);
  return isEqual && [...view.columns].sort().join() === [...shown.columns].sort().join();
}
