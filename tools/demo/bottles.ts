/** A bottle of the demo. */
export interface DemoBottle {
  medication: string;
  user_id: string;
  time_zone: string;
  /** What happens to it. */
  role: 'behaves' | 'misses a dose' | 'is left open' | 'goes silent';
}

/** Twelve bottles of people in several time zones. */
export const DEMO_BOTTLES: readonly DemoBottle[] = [
  {
    medication: 'Metformin 500 mg',
    user_id: 'anna-schmidt',
    time_zone: 'Europe/Berlin',
    role: 'misses a dose',
  },
  {
    medication: 'Ibuprofen 400 mg',
    user_id: 'john-miller',
    time_zone: 'America/New_York',
    role: 'is left open',
  },
  { medication: 'Warfarin 5 mg', user_id: 'priya-patel', time_zone: 'Asia/Kolkata', role: 'goes silent' },
  { medication: 'Lisinopril 10 mg', user_id: 'anna-schmidt', time_zone: 'Europe/Berlin', role: 'behaves' },
  {
    medication: 'Atorvastatin 20 mg',
    user_id: 'john-miller',
    time_zone: 'America/New_York',
    role: 'behaves',
  },
  { medication: 'Levothyroxine 50 µg', user_id: 'maria-garcia', time_zone: 'Europe/Madrid', role: 'behaves' },
  { medication: 'Omeprazole 20 mg', user_id: 'kenji-sato', time_zone: 'Asia/Tokyo', role: 'behaves' },
  { medication: 'Amlodipine 5 mg', user_id: 'kenji-sato', time_zone: 'Asia/Tokyo', role: 'behaves' },
  { medication: 'Sertraline 50 mg', user_id: 'emma-jones', time_zone: 'Europe/London', role: 'behaves' },
  { medication: 'Losartan 50 mg', user_id: 'lucas-silva', time_zone: 'America/Sao_Paulo', role: 'behaves' },
  {
    medication: 'Gabapentin 300 mg',
    user_id: 'olivia-brown',
    time_zone: 'Australia/Adelaide',
    role: 'behaves',
  },
  { medication: 'Apixaban 5 mg', user_id: 'liam-clark', time_zone: 'America/Denver', role: 'behaves' },
];
