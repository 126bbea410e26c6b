import { slotRecipe } from './controls.ts';

/** Above overlays that were opened earlier: Chakra counts them in --layer-index. */
const above = (layer: string) => `calc({zIndex.${layer}} + var(--layer-index, 0))`;

const panel = {
  bg: 'bg.panel',
  color: 'fg',
  borderWidth: '1px',
  borderColor: 'border',
  boxShadow: 'panel',
  outline: 'none',
} as const;

const backdrop = { position: 'fixed', inset: 0, bg: 'veil', zIndex: above('dialog') } as const;

const option = {
  display: 'flex',
  alignItems: 'center',
  gap: '2.5',
  minHeight: 'control',
  px: '2.5',
  borderRadius: 'md',
  fontSize: 'sm',
  cursor: 'pointer',
  textDecoration: 'none',
  outline: 'none',
  _icon: { width: '4', height: '4', flexShrink: 0 },
} as const;

export const overlays = {
  dialog: slotRecipe({
    base: {
      backdrop,
      positioner: {
        position: 'fixed',
        inset: 0,
        display: 'flex',
        justifyContent: 'center',
        p: '3',
        zIndex: above('dialog'),
      },
      content: {
        ...panel,
        position: 'relative',
        width: 'min(var(--dialog-width, 480px), 100%)',
        maxHeight: 'full',
        overflow: 'hidden auto',
        overscrollBehavior: 'contain',
        borderRadius: 'xl',
        _open: { animation: 'appear 120ms' },
      },
      header: {
        display: 'flex',
        alignItems: 'flex-start',
        justifyContent: 'space-between',
        gap: '3',
        px: '5',
        pt: '4',
      },
      title: {
        minWidth: 0,
        // One line has the height of the close button; a longer title keeps its line spacing.
        py: 'calc((var(--control) - 24px) / 2)',
        fontSize: 'lg',
        lineHeight: '24px',
        fontWeight: 'semibold',
        overflowWrap: 'anywhere',
      },
      body: { px: '5', pt: '2', pb: '5' },
      footer: { display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: '2', mt: '5' },
    },
    variants: {
      placement: {
        center: { positioner: { alignItems: 'center' } },
        top: { positioner: { alignItems: 'flex-start', pt: '12vh' }, content: { maxHeight: '76vh' } },
        // A drawer: over the whole height, on a phone over the whole screen.
        side: {
          positioner: { justifyContent: 'flex-end', p: 0 },
          content: { height: 'full', borderRadius: 0, borderWidth: 0 },
          header: {
            position: 'sticky',
            top: 0,
            zIndex: 1,
            py: '3',
            borderBottomWidth: '1px',
            borderColor: 'border',
            bg: 'bg.panel',
          },
          body: { pt: '4' },
        },
      },
    },
    defaultVariants: { placement: 'center' },
  }),
  drawer: slotRecipe({
    base: {
      backdrop,
      positioner: { position: 'fixed', inset: 0, display: 'flex', zIndex: above('dialog') },
      content: {
        ...panel,
        borderWidth: 0,
        width: 'min(300px, 85vw)',
        height: 'full',
        overflow: 'hidden auto',
        overscrollBehavior: 'contain',
        _open: { animation: 'appear 120ms' },
      },
    },
  }),
  menu: slotRecipe({
    base: {
      content: {
        ...panel,
        zIndex: above('menu'),
        minWidth: '44',
        maxWidth: 'min(360px, 100vw - 16px)',
        maxHeight: 'min(var(--available-height), 60vh)',
        overflowY: 'auto',
        p: '1',
        borderRadius: 'lg',
        _open: { animation: 'appear 120ms' },
      },
      item: {
        ...option,
        _highlighted: { bg: 'bg.subtle' },
        _disabled: { color: 'fg.subtle', cursor: 'default' },
      },
      itemText: { flex: 1, minWidth: 0, overflowWrap: 'anywhere' },
      separator: { my: '1', borderTopWidth: '1px', borderColor: 'border' },
    },
  }),
  combobox: slotRecipe({
    base: {
      root: { display: 'flex', flexDirection: 'column', minHeight: 0 },
      input: {
        width: 'full',
        height: '12',
        px: '4',
        fontSize: 'lg',
        borderBottomWidth: '1px',
        borderColor: 'border',
        _focusVisible: { outline: 'none' },
      },
      content: { p: '2', minHeight: '120px', maxHeight: '50vh', overflowY: 'auto', outline: 'none' },
      item: {
        ...option,
        py: '2',
        lineHeight: '20px',
        overflowWrap: 'anywhere',
        _highlighted: { bg: 'action', color: 'action.ink' },
      },
      itemGroupLabel: {
        px: '2.5',
        pt: '2',
        pb: '1',
        fontSize: 'xs',
        fontWeight: 'medium',
        color: 'fg.muted',
      },
      empty: { px: '2.5', py: '4', color: 'fg.muted', fontSize: 'sm' },
    },
  }),
  tooltip: slotRecipe({
    base: {
      content: {
        zIndex: above('tooltip'),
        maxWidth: '280px',
        px: '2',
        py: '1',
        bg: 'action',
        color: 'action.ink',
        borderRadius: 'md',
        fontSize: 'xs',
        lineHeight: '16px',
        whiteSpace: 'pre-line',
        overflowWrap: 'anywhere',
        pointerEvents: 'none',
      },
    },
  }),
  toast: slotRecipe({
    base: {
      root: {
        ...panel,
        display: 'flex',
        alignItems: 'center',
        gap: '2.5',
        width: 'max-content',
        maxWidth: 'min(420px, 100vw - 24px)',
        pl: '3',
        pr: '1',
        py: '1',
        borderRadius: 'lg',
        fontSize: 'sm',
        lineHeight: '20px',
        pointerEvents: 'auto',
        '& > svg': { width: '4', height: '4', flexShrink: 0 },
        // Chakra computes these for each toast, by its place in the stack.
        translate: 'var(--x) var(--y)',
        scale: 'var(--scale)',
        zIndex: 'var(--z-index)',
        height: 'var(--height)',
        opacity: 'var(--opacity)',
        transition: 'translate 150ms, scale 150ms, opacity 150ms, height 150ms',
      },
      title: { flex: 1, minWidth: 0, py: '1.5', overflowWrap: 'anywhere' },
    },
  }),
};
