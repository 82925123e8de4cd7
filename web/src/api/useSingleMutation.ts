import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { useRef } from "react";

/**
 * `useMutation` whose `mutate` does nothing while a call is pending: the state that shows it comes a render after a
 * second press. Neither does `reset`, so that the answer is still shown.
 */
export function useSingleMutation<Data, Variables = void>(
  options: UseMutationOptions<Data, Error, Variables>,
) {
  const isUnderWay = useRef(false);
  const mutation = useMutation(options);
  return {
    ...mutation,
    mutate(variables: Variables): void {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      const settle = () => {
        isUnderWay.current = false;
      };
      // Failures are in the state.
      void mutation.mutateAsync(variables).then(settle, settle);
    },
    reset(): void {
      if (!isUnderWay.current) mutation.reset();
    },
  };
}
