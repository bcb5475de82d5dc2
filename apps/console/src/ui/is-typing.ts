const NOT_TYPED_INTO = new Set(['checkbox', 'radio', 'button', 'submit']);

/** Whether keys that are pressed there are text. */
export function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !NOT_TYPED_INTO.has(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
