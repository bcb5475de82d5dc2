import type { Random } from '../random.js';

const MEDICATIONS = [
  'Metformin 500 mg',
  'Lisinopril 10 mg',
  'Atorvastatin 20 mg',
  'Levothyroxine 50 µg',
  'Omeprazole 20 mg',
  'Amlodipine 5 mg',
  'Sertraline 50 mg',
  'Losartan 50 mg',
  'Gabapentin 300 mg',
  'Apixaban 5 mg',
] as const;

const TIME_ZONES = [
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Australia/Adelaide',
] as const;

const BOTTLES_PER_USER = 3;

/** Who owns the bottle with this number, what is in it and where it stands. */
export function chooseOwner(
  index: number,
  random: Random,
): { user_id: string; medication: string; time_zone: string } {
  return {
    user_id: `simulated-${Math.floor(index / BOTTLES_PER_USER)}`,
    medication: random.pick(MEDICATIONS),
    time_zone: random.pick(TIME_ZONES),
  };
}
