import { plural, t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { errorMessage } from '../../platform/api/errors';
import { focusAfterRemoval, removesEntry } from '../../ui/focusAfterRemoval';
import { useSnackbar } from '../../ui/useSnackbar';
import { jobsKey } from './administration';
import { changeFailedText, retryJob, retryJobs } from './changes';
import { jobKindText } from './jobKinds';
import type { FailedJob, KindOfJobs } from './types';

/** The button that has all failed jobs of a kind tried again. */
export function RetryAllJobs({ kind, failed }: KindOfJobs) {
  const show = useSnackbar();
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () => retryJobs(kind),
    onSuccess: (retried) =>
      show({
        tone: 'success',
        text: plural(retried, { one: '# job is tried again.', other: '# jobs are tried again.' }),
      }),
    onError: (error) => show({ tone: 'error', text: errorMessage(error, changeFailedText()) }),
    onSettled: () => client.invalidateQueries({ queryKey: jobsKey }),
  });
  if (failed === 0 && !retry.isPending) return null;
  return (
    <Button
      size="small"
      variant="outlined"
      aria-label={t`Try all failed jobs again: ${{ kind: jobKindText(kind) }}`}
      loading={retry.isPending}
      onClick={() => retry.mutate()}
    >
      {t`Try all again`}
    </Button>
  );
}

/** The button that has one failed job tried again. */
export function RetryJob({ job: { id, kind } }: { job: FailedJob }) {
  const show = useSnackbar();
  const client = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  const retry = useMutation({
    mutationFn: () => retryJob(id),
    onSuccess: () => {
      if (button.current !== null) focusAfterRemoval(button.current);
      show({ tone: 'success', text: t`The job is tried again.` });
    },
    onError: (error) => show({ tone: 'error', text: errorMessage(error, changeFailedText()) }),
    // A job that is not there any more goes from the list too.
    onSettled: () => client.invalidateQueries({ queryKey: jobsKey }),
  });
  return (
    <Button
      ref={button}
      {...removesEntry}
      size="small"
      variant="outlined"
      aria-label={t`Try again: ${{ kind: jobKindText(kind) }}`}
      loading={retry.isPending}
      onClick={() => retry.mutate()}
    >
      {t`Try again`}
    </Button>
  );
}
