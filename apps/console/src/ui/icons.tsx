import type { ReactNode, SVGProps } from 'react';

function icon(path: ReactNode) {
  return function Icon(props: SVGProps<SVGSVGElement>) {
    return (
      <svg
        width="18"
        height="18"
        viewBox="0 0 18 18"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden
        {...props}
      >
        {path}
      </svg>
    );
  };
}

export const FleetIcon = icon(<path d="M2.5 14.5v-5m4.3 5V6m4.3 8.5V3.5m4.4 11V8" />);
export const AlertsIcon = icon(<path d="M4 12.5V8a5 5 0 0 1 10 0v4.5l1.2 1.5H2.8ZM7.4 16h3.2" />);
export const BottleIcon = icon(
  <path d="M6 2.5h6v2.7H6zM5.7 7.5h6.6a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1-1.5 1.5H5.7a1.5 1.5 0 0 1-1.5-1.5V9a1.5 1.5 0 0 1 1.5-1.5ZM4.3 11.5h9.4" />,
);
export const RegisterIcon = icon(<path d="M9 4v10M4 9h10" />);
export const StaffIcon = icon(
  <path d="M9 8.5a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM3.5 15.2a5.5 5.5 0 0 1 11 0" />,
);
export const KeyIcon = icon(
  <path d="M6.2 12.8a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4ZM9 8.5 15.5 4m-2.2 1.5 1.5 2.2" />,
);
export const MessagesIcon = icon(<path d="M2.5 4.5h13v9h-13zM3 5l6 5 6-5" />);
export const SettingsIcon = icon(<path d="M3 5.5h6m4 0h2M3 12.5h2m4 0h6M11 3.5v4M7 10.5v4" />);
export const AuditIcon = icon(<path d="M4.5 2.5h9v13h-9zM7 6h4M7 9h4M7 12h2" />);
export const SearchIcon = icon(<path d="M8 13A5 5 0 1 0 8 3a5 5 0 0 0 0 10Zm3.7-1.3L15.5 15.5" />);
export const MenuIcon = icon(<path d="M3 5h12M3 9h12M3 13h12" />);
export const CopyIcon = icon(<path d="M6.5 6.5h8v8h-8zM11.5 6.5v-3h-8v8h3" />);
export const BackIcon = icon(<path d="M11 4 6 9l5 5" />);
export const ForwardIcon = icon(<path d="m7 4 5 5-5 5" />);
export const DownloadIcon = icon(<path d="M9 3v8m0 0 3-3m-3 3L6 8M3.5 14.5h11" />);
