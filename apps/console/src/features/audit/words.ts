/** `alert.acknowledge` as a person says it. */
export function actionWords(action: string): string {
  const [subject = '', verb = ''] = action.split('.');
  return `${verb.replaceAll('_', ' ')} ${subject.replaceAll('_', ' ')}`.trim();
}
