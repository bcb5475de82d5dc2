import {
  ActionIcon,
  Button,
  Checkbox,
  createTheme,
  Menu,
  Modal,
  MultiSelect,
  NumberInput,
  PasswordInput,
  Select,
  Textarea,
  TextInput,
  Tooltip,
} from '@mantine/core';
import classes from './theme.module.css';
import { t } from '../i18n/i18n.js';

const inputWrapperOrder: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
];
const field = {
  classNames: { label: classes['label'], input: classes['input'] },
  defaultProps: { withAsterisk: false, inputWrapperOrder },
};

/** Defaults of Mantine's components. Colours and sizes are in tokens.css and mantine.css. */
export const theme = createTheme({
  primaryColor: 'blue',
  fontFamily: 'var(--font)',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({
      defaultProps: { size: 'xs', radius: 'sm' },
      classNames: { root: classes['button'] },
    }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray' } }),
    Checkbox: Checkbox.extend({ defaultProps: { size: 'xs' } }),
    TextInput: TextInput.extend(field),
    PasswordInput: PasswordInput.extend({
      ...field,
      defaultProps: {
        ...field.defaultProps,
        visibilityToggleButtonProps: { 'aria-label': t('Show password') },
      },
    }),
    NumberInput: NumberInput.extend(field),
    Textarea: Textarea.extend(field),
    MultiSelect: MultiSelect.extend(field),
    Select: Select.extend({
      ...field,
      defaultProps: {
        ...field.defaultProps,
        allowDeselect: false,
        comboboxProps: { transitionProps: { duration: 0 } },
      },
    }),
    Menu: Menu.extend({
      defaultProps: {
        position: 'bottom-end',
        transitionProps: { duration: 0 },
        // a menu holds only its items; the focus is on the first, and afterwards where it was
        withInitialFocusPlaceholder: false,
        returnFocus: true,
        // on a low screen one scrolls to its last items
        hideDetached: false,
      },
    }),
    // its own scroll lock writes a <style> element; base.css does it instead
    Modal: Modal.extend({
      defaultProps: {
        lockScroll: false,
        centered: true,
        transitionProps: { duration: 120 },
        closeButtonProps: { 'aria-label': t('Close') },
      },
      classNames: { title: classes['title'] },
    }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300, transitionProps: { duration: 0 } } }),
  },
});
