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
  /** The label while the action is running; clicks are ignored meanwhile. */
  busy?: string | false | undefined;
  onClick?: (() => void) | undefined;
};

/** Uses aria-disabled while busy: a disabled button would lose the focus. */
export function Button({ busy, onClick, children, ...rest }: ButtonProps) {
  return (
    <Base
      aria-disabled={busy ? true : undefined}
      {...rest}
      onClick={busy ? preventDefault : onClick && (() => onClick())}
    >
      {busy || children}
    </Base>
  );
}

const preventDefault = (event: MouseEvent) => event.preventDefault();

/** For `onClickCapture`: the second click of a double click would undo the first where the button toggles. */
export function ignoreDoubleClick(event: MouseEvent) {
  if (event.detail > 1) event.stopPropagation();
}

type IconButtonProps = ButtonProps & { label: string };

/** An icon button; `label` is its accessible name and its tooltip. */
export function IconButton({ label, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} names>
      <Button look="quiet" square aria-label={label} {...rest} />
    </Tooltip>
  );
}

/** A link that looks like a button. */
export const ButtonLink = chakra(Link, recipe);
