/** The outcome of each dose in turn; it repeats from the beginning. */
export type Habit = ('on time' | 'early' | 'late' | 'missed' | 'partly' | 'offline')[];

/** A bottle of the sample fleet. */
export interface SampleBottle {
  user_id: string;
  medication: string;
  time_zone: string;
  /** Times of day in its zone; `now-75m` is the time 75 minutes before the simulation ends. */
  times: string[];
  pills_per_dose?: number;
  /** Steps of its plan that begin after the simulation. */
  coming?: { inDays: number; pills_per_dose: number }[];
  pills: number;
  habit: Habit;
  /** The condition it is in at the end; none if omitted. */
  end?: 'left open' | 'silent' | 'late';
}

const times = <T>(count: number, what: T): T[] => Array.from({ length: count }, () => what);

const GOOD: Habit = [
  ...times(9, 'on time'),
  'early',
  ...times(13, 'on time'),
  'late',
  ...times(11, 'on time'),
  'missed',
] as Habit;
const FAIR: Habit = [
  'on time',
  'on time',
  'late',
  'on time',
  'early',
  'missed',
  'on time',
  'on time',
  'offline',
  'on time',
  'late',
];
const POOR: Habit = ['on time', 'missed', 'missed', 'late', 'partly', 'missed', 'on time', 'missed'];

export const SAMPLE_BOTTLES: readonly SampleBottle[] = [
  {
    user_id: 'anna-schmidt',
    medication: 'Metformin 500 mg',
    time_zone: 'Europe/Berlin',
    times: ['08:00', '20:00'],
    pills_per_dose: 2,
    coming: [{ inDays: 14, pills_per_dose: 1 }],
    pills: 180,
    habit: [...FAIR, 'partly'],
    end: 'left open',
  },
  {
    user_id: 'john-miller',
    medication: 'Ibuprofen 400 mg',
    time_zone: 'America/New_York',
    times: ['07:30'],
    pills: 60,
    habit: GOOD,
  },
  {
    user_id: 'priya-patel',
    medication: 'Warfarin 5 mg',
    time_zone: 'Asia/Kolkata',
    times: ['21:00'],
    pills: 60,
    habit: GOOD,
    end: 'silent',
  },
  {
    user_id: 'anna-schmidt',
    medication: 'Lisinopril 10 mg',
    time_zone: 'Europe/Berlin',
    times: ['08:00'],
    pills: 60,
    habit: GOOD,
  },
  {
    user_id: 'maria-garcia',
    medication: 'Levothyroxine 50 µg',
    time_zone: 'Europe/Madrid',
    times: ['now-75m'],
    pills: 60,
    habit: FAIR,
    end: 'late',
  },
  {
    user_id: 'kenji-sato',
    medication: 'Omeprazole 20 mg',
    time_zone: 'Asia/Tokyo',
    times: ['07:00', '19:00'],
    pills: 64,
    habit: GOOD,
  },
  {
    user_id: 'emma-jones',
    medication: 'Sertraline 50 mg',
    time_zone: 'Europe/London',
    times: ['09:00'],
    pills: 60,
    habit: POOR,
  },
  {
    user_id: 'lucas-silva',
    medication: 'Losartan 50 mg',
    time_zone: 'America/Sao_Paulo',
    times: ['08:00', '20:00'],
    pills: 120,
    habit: GOOD,
  },
  {
    user_id: 'olivia-brown',
    medication: 'Gabapentin 300 mg',
    time_zone: 'Australia/Adelaide',
    times: ['08:00', '14:00', '22:00'],
    pills: 200,
    habit: FAIR,
  },
  {
    user_id: 'liam-clark',
    medication: 'Apixaban 5 mg',
    time_zone: 'America/Denver',
    times: ['08:00', '20:00'],
    pills: 120,
    habit: GOOD,
  },
];
