import { toast } from '#web/lib/toasts.ts';

/** Saves a CSV file. The code for it is loaded on demand. */
export async function exportCsv(save: (csv: typeof import('./report-csv.ts')) => void): Promise<void> {
  try {
    save(await import('./report-csv.ts'));
  } catch {
    toast('Failed to export the report. Please try again.', 'error');
  }
}
