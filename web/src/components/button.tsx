import { chakra } from '@chakra-ui/react';
import type { ComponentProps, MouseEvent } from 'react';
import { Link } from 'react-router';
import { Tooltip } from './tooltip.tsx';

const recipe = {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '1.5',
    height: '8',
    px: '3',
    borderRadius: 'md',
    fontSize: 'sm',
    fontWeight: 'medium',
    whiteSpace: 'nowrap',
    textDecoration: 'none',
    flexShrink: 0,
    transition: 'background-color 120ms, color 120ms',
    _disabled: { opacity: 0.55, cursor: 'default' },
    _icon: { width: '4', height: '4' },
  },
  variants: {
    look: {
      primary: { bg: 'action', color: 'action.ink', _hover: { bg: 'action.hover' } },
      plain: {
        bg: 'bg.panel',
        borderWidth: '1px',
        borderColor: 'border.emphasized',
        _hover: { bg: 'bg.subtle' },
      },
      quiet: { color: 'fg.muted', px: '2', _hover: { bg: 'bg.subtle', color: 'fg' } },
      brand: { color: 'brand.ink', px: '2', _hover: { bg: 'brand.hover' } },
      danger: { bg: 'danger.fill', color: 'white', _hover: { opacity: 0.9 } },
    },
    square: { true: { width: '8', px: '0' } },
  },
  defaultVariants: { look: 'plain' },
} as const;

const Base = chakra('button', recipe, { defaultProps: { type: 'button' } });

type ButtonProps = Omit<ComponentProps<typeof Base>, 'onClick'> & {
  /** What the button says while its work is being done; it then takes no further click. */
  busy?: string | false | undefined;
  onClick?: (() => void) | undefined;
};

/** A button; it keeps the focus while busy, which a disabled one would lose. */
export function Button({ busy, onClick, children, ...rest }: ButtonProps) {
  return (
    <Base
      {...rest}
      aria-disabled={busy ? true : undefined}
      onClick={busy ? stop : onClick && (() => onClick())}
    >
      {busy || children}
    </Base>
  );
}

const stop = (event: MouseEvent) => event.preventDefault();

/** As `onClickCapture`: the second click of a double click was meant for what the button was before. */
export function onlyTheFirst(event: MouseEvent) {
  if (event.detail > 1) event.stopPropagation();
}

type IconButtonProps = ButtonProps & { label: string };

/** A button that is only an icon, named by a tooltip. */
export function IconButton({ label, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} names>
      <Button look="quiet" square aria-label={label} {...rest} />
    </Tooltip>
  );
}

/** A link that stands among buttons. */
export const ButtonLink = chakra(Link, recipe);
