import { PRODUCT } from '#shared/brand.ts';

type Props = {
  /** Without the yellow square behind the logo, for yellow backgrounds. */
  plain?: boolean;
};

export function Wordmark({ plain = false }: Props) {
  return (
    <span className="wordmark">
      <Logo plain={plain} />
      {PRODUCT}
    </span>
  );
}

export function Logo({ plain = false }: Props) {
  return (
    <svg viewBox={plain ? '4 4 24 24' : '0 0 32 32'} width="28" height="28" fill="none" aria-hidden="true">
      {!plain && <rect width="32" height="32" rx="8" fill="var(--brand)" />}
      <g stroke={plain ? 'currentcolor' : 'var(--brand-ink)'} strokeWidth="2.25" strokeLinejoin="round">
        <path d="M7 11.5 16 18l9-6.5M7 10h18v12.5H7z" />
      </g>
    </svg>
  );
}
