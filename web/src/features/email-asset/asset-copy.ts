import { PARTS, type Part } from '#shared/email/content.ts';
import type { EmailAsset } from '#shared/email-asset.ts';

/** The fields of an asset that are copied into the form of a new one. They are in the state of the history entry. */
export type AssetCopy = Pick<EmailAsset, 'name' | 'type' | 'value' | 'is_active'>;

export const copyOf = ({ name, type, value, is_active }: EmailAsset): AssetCopy => ({
  name,
  type,
  value,
  is_active,
});

/** The copy in the state of a history entry. */
export function copyIn(state: unknown): AssetCopy | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const { name, type, value, is_active } = state as Partial<Record<keyof AssetCopy, unknown>>;
  if (!isPart(type) || typeof value !== 'string') return undefined;
  return { name: typeof name === 'string' ? name : null, type, value, is_active: is_active !== false };
}

const isPart = (type: unknown): type is Part => typeof type === 'string' && Object.hasOwn(PARTS, type);
