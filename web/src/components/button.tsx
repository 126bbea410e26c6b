import { Button as ChakraButton, type ButtonProps as ChakraButtonProps, chakra } from '@chakra-ui/react';
import type { MouseEvent, Ref } from 'react';
import { Link, type LinkProps } from 'react-router';
import type { Action } from '#shared/permissions.ts';
import { useMay } from '../lib/organization.ts';
import { Tooltip } from './tooltip.tsx';

// Both labels take up room, so that the button keeps its width.
const Labels = chakra('span', { base: { display: 'grid', placeItems: 'center' } });
const Label = chakra('span', {
  base: { gridArea: '1 / 1', display: 'inline-flex', alignItems: 'center', gap: '1.5' },
  variants: { shown: { false: { visibility: 'hidden' } } },
});

type WithRight = {
  /** Not shown to users without it. */
  right?: Action | undefined;
};

type ButtonProps = Omit<ChakraButtonProps, 'onClick' | 'loading' | 'loadingText'> &
  WithRight & {
    /** The action is running: clicks are ignored. */
    loading?: boolean;
    loadingText?: string | undefined;
    onClick?: (() => void) | undefined;
    ref?: Ref<HTMLButtonElement>;
  };

/** Chakra's button, but with aria-disabled while loading: a disabled button would lose the focus. */
export function Button({ loading = false, loadingText, onClick, children, right, ...rest }: ButtonProps) {
  if (!useMay()(right)) return null;
  return (
    <ChakraButton
      aria-disabled={loading || undefined}
      {...rest}
      onClick={loading ? preventDefault : onClick && (() => onClick())}
    >
      {loadingText ? (
        <Labels>
          <Label shown={!loading}>{children}</Label>
          <Label shown={loading}>{loadingText}</Label>
        </Labels>
      ) : (
        children
      )}
    </ChakraButton>
  );
}

const preventDefault = (event: MouseEvent) => event.preventDefault();

/** For `onClickCapture`: a second click would undo the first, or confirm the dialog that the first has opened. */
export function ignoreDoubleClick(event: MouseEvent) {
  if (event.detail <= 1) return;
  event.stopPropagation();
  event.preventDefault();
}

/** An icon button; `label` is its accessible name and its tooltip. */
export const IconButton = ({ label, ...rest }: ButtonProps & { label: string }) => (
  <Tooltip text={label} names>
    <Button variant="ghost" width="control" px="0" aria-label={label} {...rest} />
  </Tooltip>
);

type ButtonLinkProps = ChakraButtonProps & WithRight & Pick<LinkProps, 'to' | 'reloadDocument'>;

export const ButtonLink = ({ to, reloadDocument, children, right, ...rest }: ButtonLinkProps) =>
  useMay()(right) && (
    <ChakraButton asChild {...rest}>
      <Link to={to} reloadDocument={reloadDocument}>
        {children}
      </Link>
    </ChakraButton>
  );

/** What leads away from a page or a form: Back, Cancel. */
export const GhostLink = ({ to, children }: Pick<LinkProps, 'to' | 'children'>) => (
  <ButtonLink variant="ghost" to={to}>
    {children}
  </ButtonLink>
);

export const TextLink = chakra(Link, {
  base: {
    textDecoration: 'underline',
    textDecorationColor: 'border.emphasized',
    // Extends the target without moving what is around it.
    '@media (pointer: coarse)': { py: '15px', my: '-15px' },
    _hover: { textDecorationColor: 'fg' },
  },
});
