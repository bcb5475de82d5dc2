import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { SearchIcon } from './icons.js';
import classes from './TextFilter.module.css';

const DEBOUNCE_MS = 200;

interface TextFilterProps {
  text: string;
  label: string;
  placeholder: string;
  onChange: (text: string) => void;
}

/** A filter of a list; applied after a pause in typing. */
export function TextFilter({ text, label, placeholder, onChange }: TextFilterProps) {
  const [typed, setTyped] = useState(text);
  const change = useDebouncedCallback(onChange, DEBOUNCE_MS);
  return (
    <TextInput
      className={classes['text']}
      size="sm"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<SearchIcon />}
      spellCheck={false}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        change(event.currentTarget.value.trim());
      }}
    />
  );
}

/** The parameters of an address without those that are empty. */
export function withoutEmpty<T extends Record<string, string | undefined>>(search: T): T {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== ''),
  ) as T;
}
